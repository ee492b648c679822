const DAY_MS = 86_400_000

// Making a formatter costs a hundred times more than using one; there are some 600 zones at most.
const formatters = new Map<string, Intl.DateTimeFormat>()

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'iso8601',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  })
  formatters.set(timeZone, made)
  return made
}

/** The calendar day (YYYY-MM-DD) of an instant in a zone. */
export function dayIn(timeZone: string, instant: Date): string {
  const parts = formatterOf(timeZone).formatToParts(instant)
  const of = (type: Intl.DateTimeFormatPartTypes, length: number) =>
    (parts.find((part) => part.type === type)?.value ?? '').padStart(length, '0')
  return `${of('year', 4)}-${of('month', 2)}-${of('day', 2)}`
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
