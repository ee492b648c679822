import { type CalendarEvent, type EventType, YEARLY_TYPES } from '#contract/calendar.ts'
import { addDays } from '#contract/zoned-time.ts'
import type { DatedReveal } from './calendar.queries.ts'

/** An entry of a day: an own event, or a reveal of the circle. */
export type Entry =
  | { kind: EventType; id: string; title: string; event: CalendarEvent }
  | { kind: 'sealed' | 'opened'; id: string; title: string; reveal: DatedReveal }
export type EntryKind = Entry['kind']

/** The entries of each day: events, which have no hour, then reveals by instant. */
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

/** The next entries, the soonest first. */
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

/** Events by day, so that a month costs its days and not the whole calendar. */
interface EventDays {
  /** By « 2027-01-31 ». */
  once: Map<string, CalendarEvent[]>
  /** By « 01-31 ». */
  yearly: Map<string, CalendarEvent[]>
}

export function isYearly({ type }: Pick<CalendarEvent, 'type'>): boolean {
  return YEARLY_TYPES.includes(type)
}

export function indexEvents(events: readonly CalendarEvent[]): EventDays {
  return {
    once: Map.groupBy(
      events.filter((event) => !isYearly(event)),
      ({ date }) => date,
    ),
    yearly: Map.groupBy(events.filter(isYearly), ({ date }) => date.slice(5)),
  }
}

/** The events of a day; yearly ones from their first date on. */
export function eventsOfDay({ once, yearly }: EventDays, day: string): CalendarEvent[] {
  const anniversaries = daysOfYear(day).flatMap((name) => yearly.get(name) ?? [])
  return [...(once.get(day) ?? []), ...anniversaries.filter(({ date }) => date <= day)]
}

/** The first day from that one on which an event falls, if there is one. */
export function nextDayOf(event: CalendarEvent, from: string): string | undefined {
  if (event.date >= from) return event.date
  if (!isYearly(event)) return undefined
  const year = Number(from.slice(0, 4))
  return [year, year + 1].map((each) => dayInYear(event.date, each)).find((day) => day >= from)
}

const LEAP_DAY = '02-29'

/** 29 February moves to the 28th in other years. */
function dayInYear(date: string, year: number): string {
  const name = date.slice(5)
  return `${String(year).padStart(4, '0')}-${name === LEAP_DAY && !isLeap(year) ? '02-28' : name}`
}

function daysOfYear(day: string): string[] {
  const name = day.slice(5)
  return name === '02-28' && !isLeap(Number(day.slice(0, 4))) ? [name, LEAP_DAY] : [name]
}

function isLeap(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
}

export const TYPE_LABELS: Record<EventType, string> = {
  birthday: 'Anniversaire',
  anniversary: 'Fête ou souvenir',
  holiday: 'Férié ou vacances',
  other: 'Autre',
}

/** Short labels. */
export const KIND_LABELS: Record<EntryKind, string> = {
  birthday: 'Anniversaire',
  anniversary: 'Fête, souvenir',
  holiday: 'Férié, vacances',
  other: 'Autre événement',
  sealed: 'Scellée',
  opened: 'Dévoilée',
}
