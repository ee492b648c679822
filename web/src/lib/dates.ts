import { tickingInWords, zoneInWords } from '#contract/date-in-words.ts'
import { dayAt } from '#contract/zoned-time.ts'
import { counted } from './format.ts'
import { useHydrated } from './hooks.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const STEPS = [
  ['month', 30 * DAY],
  ['week', 7 * DAY],
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
] as const

const relative = new Intl.RelativeTimeFormat('fr', { numeric: 'auto' })

/** From so many days on, people count in months and years. */
const MONTHS_FROM_DAYS = 61

/** « il y a 3 jours », « dans 2 heures », « à l’instant »; « il y a 1 an et 3 mois ». */
export function formatRelative(instant: string | Date, nowMs: number): string {
  const instantMs = new Date(instant).getTime()
  const difference = instantMs - nowMs
  if (difference >= MONTHS_FROM_DAYS * DAY) return `dans ${span(nowMs, instantMs, 'nearest')}`
  if (difference <= -MONTHS_FROM_DAYS * DAY) return `il y a ${span(instantMs, nowMs, 'past')}`
  for (const [unit, size] of STEPS) {
    const count = Math.trunc(difference / size)
    if (count !== 0) return relative.format(count, unit)
  }
  return 'à l’instant'
}

/** « demain », « dans 3 jours », « dans 1 an et 3 mois »: by the days of the calendar in that zone, as people count them. */
export function formatDaysUntil(instant: string | Date, nowMs: number, timeZone: string): string {
  return formatDayDistance(dayAt(new Date(nowMs), timeZone), dayAt(new Date(instant), timeZone))
}

/** The same from one day of the calendar to a later one. */
export function formatDayDistance(from: string, to: string): string {
  const days = (Date.parse(to) - Date.parse(from)) / DAY
  if (days >= MONTHS_FROM_DAYS) return `dans ${span(Date.parse(from), Date.parse(to), 'nearest')}`
  return days < 21 ? relative.format(days, 'day') : relative.format(Math.round(days / 7), 'week')
}

/** « 3 mois », « 1 an et 3 mois », « 12 ans »: a wait of two months or more, or the full months that passed. */
function span(fromMs: number, toMs: number, count: 'nearest' | 'past'): string {
  const [from, to] = [new Date(fromMs), new Date(toMs)]
  const restDays = to.getUTCDate() - from.getUTCDate()
  const calendarMonths =
    (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth()
  const full = restDays < 0 ? calendarMonths - 1 : calendarMonths
  const isNearNext = count === 'nearest' && (restDays < 0 ? restDays + 30 : restDays) >= 15
  return formatMonths(isNearNext ? full + 1 : full)
}

const YEARS_ALONE_FROM = 5

function formatMonths(months: number): string {
  if (months < 12) return `${months}\u00A0mois`
  const isLong = months >= YEARS_ALONE_FROM * 12
  const years = counted(isLong ? Math.round(months / 12) : Math.floor(months / 12), 'an', 'ans')
  return isLong || months % 12 === 0 ? years : `${years} et ${months % 12}\u00A0mois`
}

/** « 3 mois », « 1 an », for what began then; undefined on the first day. */
export function formatElapsed(since: string | Date, nowMs: number): string | undefined {
  const sinceMs = new Date(since).getTime()
  const elapsed = nowMs - sinceMs
  if (elapsed >= MONTHS_FROM_DAYS * DAY) return span(sinceMs, nowMs, 'past')
  for (const [unit, size] of STEPS) {
    const count = Math.floor(elapsed / size)
    if (size >= DAY && count > 0) {
      return new Intl.NumberFormat('fr', { style: 'unit', unit, unitDisplay: 'long' }).format(count)
    }
  }
  return undefined
}

/** The digits of a countdown, « Révélé ! » after it; « 1 an et 3 mois » where nobody counts in days. */
export function formatCountdown(instantMs: number, nowMs: number): string {
  const seconds = Math.ceil((instantMs - nowMs) / SECOND)
  if (seconds <= 0) return 'Révélé !'
  if (isFarAway(instantMs, nowMs)) return span(nowMs, instantMs, 'nearest')
  return tickingInWords(seconds)
}

/** Whether a wait is said in months and years, where nothing ticks. */
export function isFarAway(instantMs: number, nowMs: number): boolean {
  return instantMs - nowMs >= MONTHS_FROM_DAYS * DAY
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

/** « 1 janv. 2027 à 09:30 »: for narrow places. */
export function formatNarrowInstant(instant: string | Date, timeZone: string): string {
  const time = formatterOf('time', timeZone).format(new Date(instant))
  return `${formatNarrowDay(instant, timeZone)} à ${time}`
}

/** « 1 janvier 2027 ». */
export function formatDay(instant: string | Date, timeZone: string): string {
  return formatterOf('long', timeZone).format(new Date(instant))
}

/** A day of the calendar, « 2027-01-01 », in words: « vendredi 1 janvier 2027 », its month « janvier 2027 », its weekday. */
export function formatCalendarDay(day: string, style: keyof typeof STYLES): string {
  return formatterOf(style, 'UTC').format(new Date(`${day}T00:00Z`))
}

const STYLES = {
  full: { dateStyle: 'full' },
  long: { dateStyle: 'long' },
  medium: { dateStyle: 'medium' },
  time: { timeStyle: 'short' },
  withoutYear: { weekday: 'long', day: 'numeric', month: 'long' },
  weekday: { weekday: 'long' },
  shortWeekday: { weekday: 'short' },
  month: { month: 'long' },
  shortMonth: { month: 'short' },
  narrowMonth: { month: 'narrow' },
  monthAndYear: { month: 'long', year: 'numeric' },
  shortMonthAndYear: { month: 'short', year: 'numeric' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

const formatters = new Map<string, Intl.DateTimeFormat>()

/** To make one costs a hundred times what it costs to use it, and long lists use it for each row. */
function formatterOf(style: keyof typeof STYLES, timeZone: string): Intl.DateTimeFormat {
  const key = `${style} ${timeZone}`
  const formatter =
    formatters.get(key) ?? new Intl.DateTimeFormat('fr', { timeZone, ...STYLES[style] })
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
