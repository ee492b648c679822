import { addDays } from '#contract/zoned-time.ts'

/** A month is the text « 2027-01 », a day « 2027-01-31 »: no time zone can move them. */
export function monthOf(day: string): string {
  return day.slice(0, 7)
}

export function addMonths(month: string, count: number): string {
  const months = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1 + count
  return `${padded(Math.floor(months / 12), 4)}-${padded((months % 12) + 1, 2)}`
}

export function firstDayOf(month: string): string {
  return `${month}-01`
}

export function lastDayOf(month: string): string {
  return addDays(firstDayOf(addMonths(month, 1)), -1)
}

/** The weeks that hold a month, from Monday to Sunday: first and last day. */
export function weeksAround(month: string): { first: string; last: string } {
  const first = firstDayOf(month)
  const last = lastDayOf(month)
  return { first: addDays(first, -weekday(first)), last: addDays(last, 6 - weekday(last)) }
}

const inWords = new Intl.DateTimeFormat('fr', { dateStyle: 'full', timeZone: 'UTC' })
const withoutYear = new Intl.DateTimeFormat('fr', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  timeZone: 'UTC',
})

/** « vendredi 1 janvier 2027 ». */
export function sayDay(day: string): string {
  return inWords.format(new Date(`${day}T00:00Z`))
}

/** « vendredi 1 janvier ». */
export function sayDayShort(day: string): string {
  return withoutYear.format(new Date(`${day}T00:00Z`))
}

/** 0 is Monday. */
function weekday(day: string): number {
  return (new Date(`${day}T00:00Z`).getUTCDay() + 6) % 7
}

function padded(value: number, length: number): string {
  return String(value).padStart(length, '0')
}
