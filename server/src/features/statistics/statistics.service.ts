import type { LetterOrder, LetterSort, Period, Statistics } from '#contract/statistics.ts'
import type { Month } from '#contract/zoned-time.ts'
import type { AppContext } from '#server/context.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { listSelfAndHidden } from '#server/features/relationships/relationships.service.ts'
import { requireFeature } from '#server/features/subscriptions/subscriptions.service.ts'
import {
  type CountedLetters,
  findSpan,
  type LetterRow,
  listLetterRows,
  tallyByMonth,
} from './statistics.repository.ts'
import { figuresIn, monthsOf } from './statistics.rules.ts'

interface Wanted {
  period: Period
  timeZone: string
}

async function lettersToCount(
  ctx: AppContext,
  actor: Actor,
  months: readonly Month[],
): Promise<CountedLetters> {
  const hidden = await listSelfAndHidden(ctx, actor.userId)
  return { authorId: actor.userId, hidden, months }
}

/** The figures of the actor’s letters by month: sums of what their pages already show this author, and of nothing else. */
export async function getStatistics(
  ctx: AppContext,
  actor: Actor,
  { period, timeZone }: Wanted,
): Promise<Statistics> {
  await requireFeature(ctx, actor.userId, 'statistics')
  const { letters, firstLetterAt, views } = await findSpan(ctx.db, actor.userId)
  const months = monthsOf(period, { now: ctx.now(), firstLetterAt, timeZone })
  const tallies = await tallyByMonth(ctx.db, await lettersToCount(ctx, actor, months))
  const undated = views - figuresIn(tallies, () => true).views
  const shown = figuresIn(tallies, (place) => place > 0)
  const viewDays = tallies.flatMap(({ firstDay }) => firstDay ?? [])
  return {
    letters,
    months: months.map(({ month }, at) => ({
      month,
      ...figuresIn(tallies, (place) => place === at + 1),
    })),
    totals: period === 'all' ? { ...shown, views } : shown,
    undated_views: undated,
    views_dated_from: viewDays.toSorted()[0] ?? null,
  }
}

interface WantedLetters extends Wanted {
  sort: LetterSort
  order: LetterOrder
  page: number
  limit: number
}

/** The same letter by letter. */
export async function listLetterStatistics(
  ctx: AppContext,
  actor: Actor,
  { period, timeZone, sort, order, page, limit }: WantedLetters,
): Promise<LetterRow[]> {
  await requireFeature(ctx, actor.userId, 'statistics')
  const months = monthsOf(period, { now: ctx.now(), firstLetterAt: null, timeZone })
  const isOfAllTime = period === 'all'
  const offset = (page - 1) * limit
  const counted = await lettersToCount(ctx, actor, months)
  return listLetterRows(ctx.db, counted, { isOfAllTime, sort, order, limit, offset })
}
