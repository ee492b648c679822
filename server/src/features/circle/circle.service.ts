import type { AppContext } from '#server/context.ts'
import { fieldError } from '#server/errors.ts'
import { isRevealed } from '#server/features/access/access.rules.ts'
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
} from './circle.repository.ts'
import { byAuthor, nearest, readSpan } from './circle.rules.ts'

const REVEALS_MAX = 2_000

type Person = Pick<Actor, 'userId'>

export interface Member extends MemberRow {
  deliveries: number
  sounds: number
}

/** The actor’s family by pseudo, with what each shares that the actor may know of. */
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
 * What opens in the person’s circle from one instant until before another, the soonest first. Where there are very many,
 * only those nearest to now.
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
  const seen = (kind: Reveal['kind']) => (reveal: RevealRow) => ({
    ...reveal,
    kind,
    isRevealed: isRevealed(reveal, now),
  })
  const reveals = [...revelations.map(seen('revelation')), ...sounds.map(seen('sound'))]
  return nearest(reveals, now, REVEALS_MAX)
}

/** The same between two days, both included, in a zone; with how much is still to come whatever the days. */
export async function listReveals(
  ctx: AppContext,
  actor: Actor,
  query: { from: string; to: string; timeZone: string },
): Promise<{ reveals: Reveal[]; upcoming: number }> {
  const span = readSpan(query, query.timeZone)
  if ('refusal' in span) throw fieldError('to', span.refusal)
  const [reveals, deliveries, sounds] = await Promise.all([
    listRevealsBetween(ctx, actor, span),
    circleOf(ctx, actor.userId).then((circle) => countDeliveriesToCome(ctx.db, circle, ctx.now())),
    countUpcomingVoiceMessages(ctx, actor),
  ])
  return { reveals, upcoming: deliveries + sounds }
}
