import { readOldEvent } from '#contract/calendar.ts'
import { OWNER_KEY, oldKeys, readList } from './old-events-owner.ts'

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
