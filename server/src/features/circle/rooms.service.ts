import type { CircleStatistics } from '#contract/circle.ts'
import type { AppContext } from '#server/context.ts'
import { findKnownMany, type ViewerAccount } from '#server/features/access/viewers.service.ts'
import type { Circle } from '#server/features/relationships/relationships.rules.ts'
import { listDeliveriesOpening, tallyReveals } from './circle.repository.ts'
import { waitersOf, yearOf } from './circle.rules.ts'

const WAITING_MAX = 6
const LATEST = new Date('9999-12-31T00:00:00Z')

/** The letters of the circle that open in each month of this year, those that are open apart. */
export async function countYear(
  ctx: AppContext,
  circle: Circle,
  timeZone: string,
): Promise<CircleStatistics['year']> {
  const now = ctx.now()
  const { months, endsAt } = yearOf(now, timeZone)
  const bounds = [...months.map(({ startsAt }) => startsAt), endsAt]
  const tallies = await tallyReveals(ctx.db, circle, bounds, now)
  return months.map(({ month }, at) => {
    const tally = tallies.find(({ place }) => place === at + 1)
    return { month, sealed: tally?.sealed ?? 0, opened: tally?.opened ?? 0 }
  })
}

/** The letters of the circle that open next; the gate says of each whether this account may know of it, and as what. */
export async function listWaiting(
  ctx: AppContext,
  account: ViewerAccount,
  circle: Circle,
): Promise<CircleStatistics['waiting']> {
  const now = ctx.now()
  const rows = await listDeliveriesOpening(ctx.db, circle, {
    from: new Date(now.getTime() + 1),
    to: LATEST,
    now,
    limit: WAITING_MAX,
  })
  const ids = rows.map(({ id }) => id)
  const findKnown = await findKnownMany(ctx, [account], ids)
  return ids
    .flatMap((id) => findKnown(account, id) ?? [])
    .map(({ envelope, relation }) => {
      const { isForMe, names, unnamed } = waitersOf(envelope, relation)
      return {
        id: envelope.id,
        title: envelope.title,
        author_id: envelope.authorId,
        author_pseudo: envelope.authorPseudo,
        created_at: envelope.createdAt.toISOString(),
        reveal_date: envelope.revealAt.toISOString(),
        time_zone: envelope.timeZone,
        is_for_me: isForMe,
        recipients: names,
        unnamed_recipients: unnamed,
      }
    })
}
