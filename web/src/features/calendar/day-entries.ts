import type { CalendarEvent, EventType } from '#contract/calendar.ts'
import { addDays } from '#contract/zoned-time.ts'
import type { DatedReveal } from './calendar.queries.ts'
import { type EventDays, eventsOfDay, nextDayOf } from './event-days.ts'

/** Something of a day: an event of mine, or a reveal of the circle. */
export type Entry =
  | { kind: EventType; id: string; title: string; event: CalendarEvent }
  | { kind: 'sealed' | 'opened'; id: string; title: string; reveal: DatedReveal }
export type EntryKind = Entry['kind']

/** What each of these days holds: events, which have no hour, then reveals in their order. */
export function entriesOfDays(
  { first, last }: { first: string; last: string },
  events: EventDays,
  reveals: readonly DatedReveal[],
): Map<string, Entry[]> {
  const byDay = Map.groupBy(reveals, ({ day }) => day)
  const days = new Map<string, Entry[]>()
  for (let day = first; day <= last; day = addDays(day, 1)) {
    const entries = [
      ...eventsOfDay(events, day).map(entryOfEvent),
      ...(byDay.get(day) ?? []).toSorted(byInstant).map(entryOfReveal),
    ]
    if (entries.length > 0) days.set(day, entries)
  }
  return days
}

export interface UpcomingEntry {
  day: string
  entry: Entry
}

/** The next few things, the soonest first. */
export function nextEntries(
  events: readonly CalendarEvent[],
  reveals: readonly DatedReveal[],
  today: string,
  count: number,
): UpcomingEntry[] {
  const next = events.flatMap((event) => {
    const day = nextDayOf(event, today)
    return day ? [{ day, entry: entryOfEvent(event) }] : []
  })
  const sealed = reveals.map((reveal) => ({ day: reveal.day, entry: entryOfReveal(reveal) }))
  return [...next, ...sealed].toSorted((a, b) => a.day.localeCompare(b.day)).slice(0, count)
}

function entryOfEvent(event: CalendarEvent): Entry {
  return { kind: event.type, id: event.id, title: event.title, event }
}

function entryOfReveal(reveal: DatedReveal): Entry {
  const kind = reveal.is_revealed ? 'opened' : 'sealed'
  return { kind, id: reveal.id, title: reveal.title, reveal }
}

function byInstant(a: DatedReveal, b: DatedReveal): number {
  return Date.parse(a.reveal_date) - Date.parse(b.reveal_date)
}
