import type { QueryClient } from '@tanstack/react-query'
import type { User } from '#contract/profiles.ts'
import { isUnreachable } from '#web/lib/api-client.ts'
import { whenReachableAgain } from '#web/lib/online.ts'
import { KNOWN_USER_KEY, readKnownUser, readToken } from '#web/lib/session-token.ts'

/** Stores the last verified user: without a network the person stays signed in. It grants nothing: the server checks the token. */
export function storeKnownUser(user: User): void {
  try {
    // The person may have signed out meanwhile.
    if (readToken()) localStorage.setItem(KNOWN_USER_KEY, JSON.stringify(user))
  } catch {
    // Without storage, the server is asked each time.
  }
}

/** The known user where the server cannot be reached, verified once it can be; throws any other error. */
export function fallBackToKnownUser(client: QueryClient, error: unknown): User {
  const known = readKnownUser()
  if (!known || !isUnreachable(error)) throw error
  whenReachableAgain(() => void client.invalidateQueries({ queryKey: ['session'] }))
  return known
}
