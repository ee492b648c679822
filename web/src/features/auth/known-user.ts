import type { User } from '#contract/profiles.ts'
import { KNOWN_USER_KEY, readToken } from '#web/lib/session-token.ts'

/*
 * Who is signed in, as last heard of the server: without a network the person stays the same. It opens nothing: what
 * is shown of theirs comes from the server, which asks for the token.
 */
export function keepKnownUser(user: User): void {
  try {
    // Nobody is, once they left meanwhile.
    if (readToken()) localStorage.setItem(KNOWN_USER_KEY, JSON.stringify(user))
  } catch {
    // A device without room asks the server each time.
  }
}

export function readKnownUser(): User | undefined {
  return JSON.parse(localStorage.getItem(KNOWN_USER_KEY) ?? 'null') ?? undefined
}
