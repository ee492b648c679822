/*
 * An older page kept its events in this browser, under a key that names family and calendar, and without a name of
 * whose they are. They go to the first account that is seen beside them, and to no other one later.
 */
export const OWNER_KEY = 'old-events-owner'

/** Whoever is signed in beside events that are nobody’s yet is taken for the one who wrote them. */
export function claimOldEvents(userId: string): void {
  if (localStorage.getItem(OWNER_KEY) !== null || oldKeys().length === 0) return
  try {
    localStorage.setItem(OWNER_KEY, userId)
  } catch {
    // A browser without room keeps them as they are: they are taken in by nobody.
  }
}

export function oldKeys(): string[] {
  return Object.keys(localStorage).filter(
    (key) => /family/i.test(key) && /calendar/i.test(key) && readList(key) !== undefined,
  )
}

export function readList(key: string): unknown[] | undefined {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '')
    return Array.isArray(stored) ? stored : undefined
  } catch {
    return undefined
  }
}
