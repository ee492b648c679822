import type { User } from '#contract/profiles.ts'

const KEY = 'auth_token'
/** Beside it, who that is as last heard: see `features/auth/known-user.ts`. */
export const KNOWN_USER_KEY = 'session_user'

/** Who is signed in here, as last heard: without a network, or before the server was asked. */
export function readKnownUser(): User | undefined {
  if (typeof window === 'undefined') return undefined
  try {
    return JSON.parse(localStorage.getItem(KNOWN_USER_KEY) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

/** None on the server, where every page is made for a visitor. */
export function readToken(): string | null {
  return typeof window === 'undefined' ? null : localStorage.getItem(KEY)
}

export function saveToken(token: string): void {
  localStorage.setItem(KEY, token)
}

export function clearToken(): void {
  localStorage.removeItem(KEY)
  localStorage.removeItem(KNOWN_USER_KEY)
}

/** Calls back when another tab of this browser signs in or out. */
export function onTokenChangedElsewhere(callback: () => void): () => void {
  const listener = (event: StorageEvent) => {
    if (event.key === KEY || event.key === null) callback()
  }
  window.addEventListener('storage', listener)
  return () => window.removeEventListener('storage', listener)
}
