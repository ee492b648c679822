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
  const lastMonday = startOfWeek(lastDayOf(month))
  return { first: startOfWeek(firstDayOf(month)), last: addDays(lastMonday, 6) }
}

/** The Monday of that week. */
export function startOfWeek(day: string): string {
  const sinceSunday = new Date(`${day}T00:00Z`).getUTCDay()
  return addDays(day, -((sinceSunday + 6) % 7))
}

const monthInWords = new Intl.DateTimeFormat('fr', {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})

/** « janvier 2027 ». */
export function sayMonth(month: string): string {
  return monthInWords.format(new Date(`${month}-01T00:00Z`))
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

function padded(value: number, length: number): string {
  return String(value).padStart(length, '0')
}
