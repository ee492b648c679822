import type { CircleStatistics } from '#contract/circle.ts'
import type { AppContext } from '#server/context.ts'
import { getUser } from '#server/features/auth/auth.service.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { circleOf } from '#server/features/relationships/relationships.service.ts'
import { tallyVoiceMessages } from '#server/features/voice-messages/voice-messages.service.ts'
import {
  listFamily,
  type MemberRow,
  tallyDeliveries,
  tallyInteractions,
} from './circle.repository.ts'
import {
  achievementsOf,
  byMonth,
  engagementOf,
  growthOf,
  labelOf,
  monthsUntil,
  scoreOf,
  type TopContributor,
  topContributorOf,
  totalOf,
} from './circle.rules.ts'

/** The figures of the actor’s circle, of nothing but what the actor may know of. */
export async function getStatistics(
  ctx: AppContext,
  actor: Actor,
  timeZone: string,
): Promise<CircleStatistics> {
  const now = ctx.now()
  const months = monthsUntil(now, timeZone)
  const starts = months.map(({ startsAt }) => startsAt)
  const [circle, family] = await Promise.all([
    circleOf(ctx, actor.userId),
    listFamily(ctx.db, actor.userId),
  ])
  const [deliveries, sounds, interactions] = await Promise.all([
    tallyDeliveries(ctx.db, circle, starts, now),
    tallyVoiceMessages(ctx, circle, starts),
    tallyInteractions(ctx.db, circle, starts),
  ])
  const [deliveriesIn, soundsIn, interactionsIn] = [deliveries, sounds, interactions].map(
    (tallies) => byMonth(tallies, months.length),
  )
  const total = totalOf(deliveries)
  const revealed = deliveries.reduce((sum, tally) => sum + tally.revealed, 0)
  const averageEngagement = engagementOf(total, totalOf(interactions))
  const members = family.length
  const score = scoreOf({ members, deliveries: total, averageEngagement })
  return {
    total_members: members,
    total_revelations: total,
    upcoming_revelations: total - revealed,
    revealed_revelations: revealed,
    total_interactions: totalOf(interactions),
    monthly_growth: growthOf(deliveriesIn?.at(-1) ?? 0, deliveriesIn?.at(-2) ?? 0),
    average_engagement: averageEngagement,
    family_score: score,
    score_label: labelOf(score),
    top_contributor: await present(ctx, actor, family, topContributorOf(deliveries, months.length)),
    achievements: achievementsOf({ members, deliveries: total, score }),
    months: months.map(({ month }, at) => ({
      month,
      deliveries: deliveriesIn?.[at] ?? 0,
      sounds: soundsIn?.[at] ?? 0,
      interactions: interactionsIn?.[at] ?? 0,
    })),
  }
}

/** Who leads; without any delivery, the actor under their own pseudo (behaviour.md 10.4). */
async function present(
  ctx: AppContext,
  actor: Actor,
  family: readonly MemberRow[],
  { authorId, deliveries, period }: TopContributor,
): Promise<CircleStatistics['top_contributor']> {
  const member = family.find(({ userId }) => userId === authorId)
  const { pseudo, avatarUrl } = member ?? (await getUser(ctx, actor.userId))
  const userId = member?.userId ?? actor.userId
  return { user_id: userId, pseudo, avatar_url: avatarUrl, deliveries, period }
}
