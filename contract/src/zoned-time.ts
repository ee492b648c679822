/*
 * Days and instants in a time zone, with Intl only. A day is the text « 2027-01-01 »: it names a square of the
 * calendar and no instant, until a zone is given.
 */
const DAY_MS = 86_400_000

const REMEMBERED_ZONES = 600

const formats = new Map<string, Intl.DateTimeFormat>()

/** The day it is in that zone at that instant. */
export function dayAt(instant: Date, timeZone: string): string {
  return new Date(wallClock(instant.getTime(), timeZone)).toISOString().slice(0, 10)
}

/** The hour it is in that zone at that instant, « 18:30 ». */
export function timeAt(instant: Date, timeZone: string): string {
  return new Date(wallClock(instant.getTime(), timeZone)).toISOString().slice(11, 16)
}

export function addDays(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00Z`) + count * DAY_MS).toISOString().slice(0, 10)
}

/** The same day of another month, or the last one of a month that is shorter. */
export function addMonths(day: string, months: number): string {
  const date = new Date(`${day}T00:00Z`)
  const dayOfMonth = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months + 1, 0)
  date.setUTCDate(Math.min(dayOfMonth, date.getUTCDate()))
  return date.toISOString().slice(0, 10)
}

/**
 * The instant at which the clocks of that zone show that day and hour. An hour that happens twice is the first
 * one; an hour the clocks jump over is moved forward by the jump.
 */
export function instantOf(day: string, time: string, timeZone: string): Date {
  const wanted = Date.parse(`${day}T${time}Z`)
  const before = wanted - offsetAt(wanted - DAY_MS, timeZone)
  const after = wanted - offsetAt(wanted + DAY_MS, timeZone)
  const exact = [before, after].filter((instant) => wallClock(instant, timeZone) === wanted)
  return new Date(exact.length > 0 ? Math.min(...exact) : before)
}

/** The first instant of that day in that zone; not always 00:00, where the clocks jump over midnight. */
export function startOfDay(day: string, timeZone: string): Date {
  return instantOf(day, '00:00', timeZone)
}

/** A month with its first instant in the requested zone. */
export interface Month {
  month: string
  startsAt: Date
}

/** So many months, the oldest first, the last one that of `now` in this zone. */
export function listMonths(now: Date, timeZone: string, count: number): Month[] {
  const [year = 0, month = 0] = dayAt(now, timeZone).split('-').map(Number)
  return Array.from({ length: count }, (_, at) => {
    const name = new Date(Date.UTC(year, month - count + at, 1)).toISOString().slice(0, 7)
    return { month: name, startsAt: startOfDay(`${name}-01`, timeZone) }
  })
}

function offsetAt(instant: number, timeZone: string): number {
  return wallClock(instant, timeZone) - instant
}

/** What the clocks of that zone show, written as if it were UTC, to the millisecond. */
function wallClock(instant: number, timeZone: string): number {
  const parts = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = parts
  const milliseconds = ((instant % 1000) + 1000) % 1000
  return Date.UTC(year, month - 1, day, hour, minute, second, milliseconds)
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  // Zones are named whatever the case: a client must not fill the memory with the ways to write one.
  if (formats.size >= REMEMBERED_ZONES) formats.clear()
  formats.set(timeZone, format)
  return format
}
