import { addDays } from '#contract/zoned-time.ts'
import { addMonths, lastDayOf, monthOf, startOfWeek } from './calendar-months.ts'

interface Key {
  key: string
  shiftKey: boolean
}

/** The day that a key of the grid pattern leads to, or undefined for a key that is none. */
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
