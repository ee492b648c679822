import { zoneInWords } from '#contract/date-in-words.ts'
import { dayAt } from '#contract/zoned-time.ts'
import { useHydrated } from './hooks.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const STEPS = [
  ['year', 365 * DAY],
  ['month', 30 * DAY],
  ['week', 7 * DAY],
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
] as const

const relative = new Intl.RelativeTimeFormat('fr', { numeric: 'auto' })

/** « il y a 3 jours », « dans 2 heures », « à l’instant ». */
export function formatRelative(instant: string | Date, nowMs: number): string {
  const difference = new Date(instant).getTime() - nowMs
  for (const [unit, size] of STEPS) {
    const count = Math.trunc(difference / size)
    if (count !== 0) return relative.format(count, unit)
  }
  return 'à l’instant'
}

/** « demain », « dans 3 jours », « dans 2 ans »: by the days of the calendar in that zone, as people count them. */
export function formatDaysUntil(instant: string | Date, nowMs: number, timeZone: string): string {
  const days = toDays(dayAt(new Date(instant), timeZone)) - toDays(dayAt(new Date(nowMs), timeZone))
  const [unit, length] = CALENDAR_STEPS.find(([, , from]) => days >= from) ?? (['day', 1] as const)
  return relative.format(Math.round(days / length), unit)
}

/** Each unit with its days, and from how many days on it is what people count in. */
const CALENDAR_STEPS = [
  ['year', 365.25, 731],
  ['month', 30.44, 61],
  ['week', 7, 21],
] as const

function toDays(day: string): number {
  return Date.parse(day) / DAY
}

/** « 3 mois », « 1 an », for what began then; undefined on the first day. */
export function formatElapsed(since: string | Date, nowMs: number): string | undefined {
  const elapsed = nowMs - new Date(since).getTime()
  for (const [unit, size] of STEPS) {
    const count = Math.floor(elapsed / size)
    if (size >= DAY && count > 0) {
      return new Intl.NumberFormat('fr', { style: 'unit', unit, unitDisplay: 'long' }).format(count)
    }
  }
  return undefined
}

/** « 1 janvier 2027 à 00:00 », with the zone's name only for whoever lives by other clocks. */
export function formatShortInstant(
  instant: string | Date,
  timeZone: string,
  ownZone = browserTimeZone(),
): string {
  const date = new Date(instant)
  const day = formatterOf('long', timeZone).format(date)
  const time = formatterOf('time', timeZone).format(date)
  const sameClocks = timeZone === ownZone
  return `${day} à ${time}${sameClocks ? '' : ` (${zoneInWords(date, timeZone)})`}`
}

/** « 1 janv. 2027 »: for narrow places. */
export function formatNarrowDay(instant: string | Date, timeZone: string): string {
  return formatterOf('medium', timeZone).format(new Date(instant))
}

/** « 1 janvier 2027 ». */
export function formatDay(instant: string | Date, timeZone: string): string {
  return formatterOf('long', timeZone).format(new Date(instant))
}

type Style = 'long' | 'medium' | 'time'

const formatters = new Map<string, Intl.DateTimeFormat>()

/** To make one costs a hundred times what it costs to use it, and long lists use it for each row. */
function formatterOf(style: Style, timeZone: string): Intl.DateTimeFormat {
  const key = `${style} ${timeZone}`
  const options: Intl.DateTimeFormatOptions =
    style === 'time' ? { timeStyle: 'short' } : { dateStyle: style }
  const formatter = formatters.get(key) ?? new Intl.DateTimeFormat('fr', { timeZone, ...options })
  formatters.set(key, formatter)
  return formatter
}

const CACHED_MS = 10_000

let known: { zone: string; at: number } | undefined

/** The zone of this device, cached because long lists need it for each row; travellers change it. */
export function browserTimeZone(): string {
  const at = Date.now()
  if (!known || Math.abs(at - known.at) > CACHED_MS) {
    known = { zone: Intl.DateTimeFormat().resolvedOptions().timeZone, at }
  }
  return known.zone
}

/** For tests: each lives in the zone of its device. */
export function resetBrowserTimeZone(): void {
  known = undefined
}

/** The same once the page is hydrated; undefined before, since the server renders without knowing it. */
export function useBrowserTimeZone(): string | undefined {
  return useHydrated() ? browserTimeZone() : undefined
}

// Pickers work in the browser’s own dates. Noon stays clear of the hours that clocks jump over.

/** « 2027-01-31 » as a date of this browser. */
export function toLocalDate(day: string): Date {
  return new Date(`${day}T12:00`)
}

export function fromLocalDate(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
