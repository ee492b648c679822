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

/** The first and last day of the weeks around a month, from Monday to Sunday. */
export function weeksAround(month: string): { first: string; last: string } {
  const lastMonday = startOfWeek(lastDayOf(month))
  return { first: startOfWeek(firstDayOf(month)), last: addDays(lastMonday, 6) }
}

/** The Monday of that week. */
function startOfWeek(day: string): string {
  const sinceSunday = new Date(`${day}T00:00Z`).getUTCDay()
  return addDays(day, -((sinceSunday + 6) % 7))
}

function padded(value: number, length: number): string {
  return String(value).padStart(length, '0')
}

interface Key {
  key: string
  shiftKey: boolean
}

/** The day that a key of the grid pattern moves to, or undefined for another key. */
export function dayReachedBy({ key, shiftKey }: Key, day: string): string | undefined {
  switch (key) {
    case 'ArrowLeft':
      return addDays(day, -1)
    case 'ArrowRight':
      return addDays(day, 1)
    case 'ArrowUp':
      return addDays(day, -7)
    case 'ArrowDown':
      return addDays(day, 7)
    case 'Home':
      return startOfWeek(day)
    case 'End':
      return addDays(startOfWeek(day), 6)
    case 'PageUp':
      return inMonthsFrom(day, shiftKey ? -12 : -1)
    case 'PageDown':
      return inMonthsFrom(day, shiftKey ? 12 : 1)
    default:
      return undefined
  }
}

/** The same day of another month, or the last one of a month that is shorter. */
function inMonthsFrom(day: string, count: number): string {
  const month = addMonths(monthOf(day), count)
  const same = `${month}${day.slice(7)}`
  const last = lastDayOf(month)
  return same < last ? same : last
}
