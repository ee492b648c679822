const DAY_MS = 86_400_000

interface WallClock {
  year: number
  month: number
  day: number
  hour: number
  minute: number
  second: number
}

function wallClock(instant: Date, timeZone: string): WallClock {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'iso8601',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(instant)
  const of = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((part) => part.type === type)?.value)
  return {
    year: of('year'),
    month: of('month'),
    day: of('day'),
    hour: of('hour'),
    minute: of('minute'),
    second: of('second'),
  }
}

function dayOf(clock: WallClock): string {
  const pad = (value: number, length: number) => String(value).padStart(length, '0')
  return `${pad(clock.year, 4)}-${pad(clock.month, 2)}-${pad(clock.day, 2)}`
}

/** The calendar day (YYYY-MM-DD) of an instant in a zone. */
export function dayIn(timeZone: string, instant: Date): string {
  return dayOf(wallClock(instant, timeZone))
}

/** The day after (or `days` after) a calendar day. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}

/** The first instant of a calendar day in a zone: 00:00, or what follows where the clock skips midnight. */
export function startOfDay(day: string, timeZone: string): Date {
  const midnight = Date.parse(`${day}T00:00:00Z`)
  // Every zone lies within 15 hours of UTC and moves by minutes: the first instant whose local day is `day`.
  let before = midnight - 15 * 3_600_000
  let after = midnight + 15 * 3_600_000
  while (after - before > 1000) {
    const middle = Math.floor((before + after) / 2000) * 1000
    if (dayIn(timeZone, new Date(middle)) < day) before = middle
    else after = middle
  }
  return new Date(after)
}
