import type { CircleStatistics } from '#contract/circle.ts'

export type ActivityMonth = CircleStatistics['months'][number]
export type ActivityKind = Exclude<keyof ActivityMonth, 'month'>

export const ACTIVITY_WORDS: Record<ActivityKind, string> = {
  deliveries: 'Livraisons',
  sounds: 'Messages audio',
  interactions: 'Interactions',
}

export function isQuiet(months: readonly ActivityMonth[]): boolean {
  return months.every((month) => month.deliveries + month.sounds + month.interactions === 0)
}

const narrow = new Intl.DateTimeFormat('fr', { month: 'narrow', timeZone: 'UTC' })
const short = new Intl.DateTimeFormat('fr', { month: 'short', timeZone: 'UTC' })
const dated = new Intl.DateTimeFormat('fr', { month: 'short', year: 'numeric', timeZone: 'UTC' })
const long = new Intl.DateTimeFormat('fr', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** A month, « 2026-11 », in as many letters as there is room for. */
export function monthNames(month: string) {
  const date = new Date(`${month}-01T00:00Z`)
  return {
    narrow: narrow.format(date),
    short: short.format(date),
    dated: dated.format(date),
    long: long.format(date),
  }
}
