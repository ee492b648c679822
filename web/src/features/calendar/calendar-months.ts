import { addDays } from '#contract/zoned-time.ts'

/** A month is the text « 2027-01 », a day « 2027-01-31 »: no time zone can move them. */
export function monthOf(day: string): string {
  return day.slice(0, 7)
}

/** Every year has twelve of them, the year 0 too. */
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

function padded(value: number, length: number): string {
  return String(value).padStart(length, '0')
}
