type OnSignOut = (userId: string) => void

const listeners = new Set<OnSignOut>()

/**
 * Calls back when somebody signs out or ends their account in this tab. A session that expired, here or in another tab,
 * does not count: what it interrupted waits for the same person.
 */
export function onSignOut(listener: OnSignOut): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function announceSignOut(userId: string): void {
  for (const listener of listeners) listener(userId)
}
