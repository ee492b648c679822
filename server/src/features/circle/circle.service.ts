import type { CircleStatistics } from '#contract/circle.ts'
import type { AppContext } from '#server/context.ts'
import { fieldError } from '#server/errors.ts'
import { isRevealed } from '#server/features/access/access.rules.ts'
import { getUser } from '#server/features/auth/auth.service.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { circleOf } from '#server/features/relationships/relationships.service.ts'
import {
  countUpcomingVoiceMessages,
  listVoiceMessageReveals,
  tallyVoiceMessages,
} from '#server/features/voice-messages/voice-messages.service.ts'
import {
  countDeliveriesToCome,
  listDeliveriesOpening,
  listFamily,
  type MemberRow,
  type RevealRow,
  tallyDeliveries,
  tallyInteractions,
} from './circle.repository.ts'
import {
  achievementsOf,
  byAuthor,
  byMonth,
  engagementOf,
  growthOf,
  labelOf,
  monthsUntil,
  nearest,
  parseSpan,
  scoreOf,
  type TopContributor,
  topContributorOf,
  totalOf,
} from './circle.rules.ts'
import { countYear, listWaiting } from './rooms.service.ts'

const REVEALS_MAX = 2_000

type Person = Pick<Actor, 'userId'>

export interface Member extends MemberRow {
  deliveries: number
  sounds: number
}

/** The actor’s family by pseudo, each with the counts of what they share with the actor. */
export async function listMembers(ctx: AppContext, actor: Actor): Promise<Member[]> {
  const now = ctx.now()
  const [circle, family] = await Promise.all([
    circleOf(ctx, actor.userId),
    listFamily(ctx.db, actor.userId),
  ])
  const [deliveries, sounds] = await Promise.all([
    tallyDeliveries(ctx.db, circle, [now], now),
    tallyVoiceMessages(ctx, circle, [now]),
  ])
  const deliveriesOf = byAuthor(deliveries)
  const soundsOf = byAuthor(sounds)
  const { compare } = new Intl.Collator('fr')
  return family
    .map((member) => ({
      ...member,
      deliveries: deliveriesOf.get(member.userId) ?? 0,
      sounds: soundsOf.get(member.userId) ?? 0,
    }))
    .toSorted((one, other) => compare(one.pseudo, other.pseudo))
}

export interface Reveal extends RevealRow {
  kind: 'revelation' | 'sound'
  isRevealed: boolean
}

/**
 * The reveals of a person’s circle from one instant until before another, the soonest first; of very many, only those
 * nearest to now.
 */
export async function listRevealsBetween(
  ctx: AppContext,
  person: Person,
  { from, to }: { from: Date; to: Date },
): Promise<Reveal[]> {
  const now = ctx.now()
  const span = { from, to, now, limit: REVEALS_MAX }
  const [revelations, sounds] = await Promise.all([
    circleOf(ctx, person.userId).then((circle) => listDeliveriesOpening(ctx.db, circle, span)),
    listVoiceMessageReveals(ctx, person, span),
  ])
  const withKind = (kind: Reveal['kind']) => (reveal: RevealRow) => ({
    ...reveal,
    kind,
    isRevealed: isRevealed(reveal, now),
  })
  const reveals = [...revelations.map(withKind('revelation')), ...sounds.map(withKind('sound'))]
  return nearest(reveals, now, REVEALS_MAX)
}

/** The same between two days, both included, in a zone; with the count of all that is still to come. */
export async function listReveals(
  ctx: AppContext,
  actor: Actor,
  query: { from: string; to: string; timeZone: string },
): Promise<{ reveals: Reveal[]; upcoming: number }> {
  const span = parseSpan(query, query.timeZone)
  if ('refusal' in span) throw fieldError('to', span.refusal)
  const [reveals, deliveries, sounds] = await Promise.all([
    listRevealsBetween(ctx, actor, span),
    circleOf(ctx, actor.userId).then((circle) => countDeliveriesToCome(ctx.db, circle, ctx.now())),
    countUpcomingVoiceMessages(ctx, actor),
  ])
  return { reveals, upcoming: deliveries + sounds }
}

/** The figures of the actor’s circle, of what the actor may know of alone. */
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
  const [deliveries, sounds, interactions, year, waiting] = await Promise.all([
    tallyDeliveries(ctx.db, circle, starts, now),
    tallyVoiceMessages(ctx, circle, starts),
    tallyInteractions(ctx.db, circle, starts),
    countYear(ctx, circle, timeZone),
    listWaiting(ctx, actor, circle),
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
    top_contributor: await presentContributor(
      ctx,
      actor,
      family,
      topContributorOf(deliveries, months.length),
    ),
    achievements: achievementsOf({ members, deliveries: total, score }),
    year,
    waiting,
    months: months.map(({ month }, at) => ({
      month,
      deliveries: deliveriesIn?.[at] ?? 0,
      sounds: soundsIn?.[at] ?? 0,
      interactions: interactionsIn?.[at] ?? 0,
    })),
  }
}

/** The top contributor; without any delivery, the actor under their own pseudo (behaviour.md 10.4). */
async function presentContributor(
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
