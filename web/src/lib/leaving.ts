type OnLeave = (userId: string) => void

const listeners = new Set<OnLeave>()

/**
 * Calls back when somebody leaves by themselves in this tab: signs out or ends their account. A session that expired,
 * here or in another tab, is not a leave: what it interrupted waits for the same person.
 */
export function onLeave(listener: OnLeave): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function announceLeave(userId: string): void {
  for (const listener of listeners) listener(userId)
}
