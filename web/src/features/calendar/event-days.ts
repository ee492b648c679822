import { type CalendarEvent, YEARLY_TYPES } from '#contract/calendar.ts'

/** Events by the day they fall on, so that showing a month costs its days and not the whole calendar. */
export interface EventDays {
  /** By « 2027-01-31 ». */
  once: Map<string, CalendarEvent[]>
  /** By « 01-31 ». */
  yearly: Map<string, CalendarEvent[]>
}

export function comesBack({ type }: Pick<CalendarEvent, 'type'>): boolean {
  return YEARLY_TYPES.includes(type)
}

export function indexEvents(events: readonly CalendarEvent[]): EventDays {
  return {
    once: Map.groupBy(
      events.filter((event) => !comesBack(event)),
      ({ date }) => date,
    ),
    yearly: Map.groupBy(events.filter(comesBack), ({ date }) => date.slice(5)),
  }
}

/** What falls on a day; what comes back every year does from its own day on. */
export function eventsOfDay({ once, yearly }: EventDays, day: string): CalendarEvent[] {
  const anniversaries = daysOfYear(day).flatMap((name) => yearly.get(name) ?? [])
  return [...(once.get(day) ?? []), ...anniversaries.filter(({ date }) => date <= day)]
}

/** The first day from that one on which an event falls, if there is one. */
export function nextDayOf(event: CalendarEvent, from: string): string | undefined {
  if (event.date >= from) return event.date
  if (!comesBack(event)) return undefined
  const year = Number(from.slice(0, 4))
  return [year, year + 1].map((each) => dayInYear(event.date, each)).find((day) => day >= from)
}

const LEAP_DAY = '02-29'

/** 29 February is kept on the 28th in the years that lack it. */
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
