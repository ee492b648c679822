const KEY = 'auth_token'

/** None on the server, where every page is made for a visitor. */
export function readToken(): string | null {
  return typeof window === 'undefined' ? null : localStorage.getItem(KEY)
}

export function saveToken(token: string): void {
  localStorage.setItem(KEY, token)
}

export function clearToken(): void {
  localStorage.removeItem(KEY)
}

/** Calls back when another tab of this browser signs in or out. */
export function onTokenChangedElsewhere(callback: () => void): () => void {
  const listener = (event: StorageEvent) => {
    if (event.key === KEY || event.key === null) callback()
  }
  window.addEventListener('storage', listener)
  return () => window.removeEventListener('storage', listener)
}
