import { readOldEvent } from '#contract/calendar.ts'

/*
 * An older page kept its events in this browser, under a key that names family and calendar, and without a name of
 * whose they are. They go to the first account that is seen beside them, and to no other one later.
 */
const OWNER_KEY = 'old-events-owner'

interface OldEvents {
  keys: string[]
  events: unknown[]
}

/** The events that wait in this browser for this account; undefined when there are none, or they are somebody else’s. */
export function findOldEvents(userId: string): OldEvents | undefined {
  if (localStorage.getItem(OWNER_KEY) !== userId) return undefined
  const keys = oldKeys()
  const events = keys.flatMap((key) => readList(key) ?? []).filter(isEvent)
  return events.length > 0 ? { keys, events } : undefined
}

/** Whoever is signed in beside events that are nobody’s yet is taken for the one who wrote them. */
export function claimOldEvents(userId: string): void {
  if (localStorage.getItem(OWNER_KEY) !== null || oldKeys().length === 0) return
  try {
    localStorage.setItem(OWNER_KEY, userId)
  } catch {
    // A browser without room keeps them as they are: they are taken in by nobody.
  }
}

/** To be called once the server has them. What is no event, or was written meanwhile, stays where it is. */
export function forgetOldEvents({ keys, events }: OldEvents): void {
  const given = new Set(events.map((event) => JSON.stringify(event)))
  for (const key of keys) {
    const left = readList(key)?.filter((event) => !given.has(JSON.stringify(event))) ?? []
    if (left.length > 0) localStorage.setItem(key, JSON.stringify(left))
    else localStorage.removeItem(key)
  }
  if (oldKeys().length === 0) localStorage.removeItem(OWNER_KEY)
}

function isEvent(kept: unknown): boolean {
  return readOldEvent(kept) !== undefined
}

function oldKeys(): string[] {
  return Object.keys(localStorage).filter(
    (key) => /family/i.test(key) && /calendar/i.test(key) && readList(key) !== undefined,
  )
}

function readList(key: string): unknown[] | undefined {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '')
    return Array.isArray(stored) ? stored : undefined
  } catch {
    return undefined
  }
}
