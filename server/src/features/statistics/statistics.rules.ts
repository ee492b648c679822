import { type Figures, MEASURES, type Measure, type Period } from '#contract/statistics.ts'
import { dayAt, listMonths, type Month } from '#contract/zoned-time.ts'

/** The count of one measure in one month: `place` is its place among the months from 1 on, 0 for all before. */
export interface Tally {
  measure: Measure
  place: number
  count: number
}

/** The months of a period, the last one that of `now`; over all time they begin with the first letter. */
export function monthsOf(
  period: Period,
  { now, firstLetterAt, timeZone }: { now: Date; firstLetterAt: Date | null; timeZone: string },
): Month[] {
  const monthNumber = (instant: Date) => {
    const [year = 0, month = 0] = dayAt(instant, timeZone).split('-').map(Number)
    return 12 * year + month - 1
  }
  const last = monthNumber(now)
  const counts: Record<Period, number> = {
    '12-months': 12,
    'this-year': (last % 12) + 1,
    all: last - monthNumber(firstLetterAt ?? now) + 1,
  }
  return listMonths(now, timeZone, Math.max(1, counts[period]))
}

export function figuresIn(tallies: readonly Tally[], isIn: (place: number) => boolean): Figures {
  const sumOf = (measure: Measure) =>
    tallies
      .filter((tally) => tally.measure === measure && isIn(tally.place))
      .reduce((sum, { count }) => sum + count, 0)
  return Object.fromEntries(MEASURES.map((measure) => [measure, sumOf(measure)])) as Record<
    Measure,
    number
  >
}
