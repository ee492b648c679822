import type { AppContext } from '#server/context.ts'
import { fieldError } from '#server/errors.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { listTies } from '#server/features/relationships/relationships.service.ts'
import { isRevealed } from '#server/features/revelations/revelations.rules.ts'
import { countUpcomingSounds, listRevealsOfSounds } from '#server/features/sounds/sounds.service.ts'
import {
  type CircleOf,
  countDeliveriesToCome,
  listDeliveriesOpening,
  listFamily,
  type MemberRow,
  type RevealRow,
  tallyDeliveries,
  tallySounds,
} from './circle.repository.ts'
import { byAuthor, readSpan } from './circle.rules.ts'

type Person = Pick<Actor, 'userId'>

/** Whose deliveries and voices a person’s circle is made of, as ties stand now. */
export async function circleOf(ctx: AppContext, { userId }: Person): Promise<CircleOf> {
  const { family, friends, blocked } = await listTies(ctx, userId)
  const isShown = (id: string) => !blocked.includes(id)
  const members = family.filter(isShown)
  const tied = [...members, ...friends.filter(isShown)]
  return { userId, authors: [userId, ...members], tied, blocked }
}

export interface Member extends MemberRow {
  deliveries: number
  sounds: number
}

/** The actor’s family by pseudo, with what each shares that the actor may know of. */
export async function listMembers(ctx: AppContext, actor: Actor): Promise<Member[]> {
  const now = ctx.now()
  const [circle, family] = await Promise.all([
    circleOf(ctx, actor),
    listFamily(ctx.db, actor.userId),
  ])
  const [deliveries, sounds] = await Promise.all([
    tallyDeliveries(ctx.db, circle, [now], now),
    tallySounds(ctx.db, circle, [now]),
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

/** What opens in the person’s circle from one instant until before another, the soonest first. */
export async function listRevealsBetween(
  ctx: AppContext,
  person: Person,
  span: { from: Date; to: Date },
): Promise<Reveal[]> {
  const now = ctx.now()
  const [revelations, sounds] = await Promise.all([
    circleOf(ctx, person).then((circle) => listDeliveriesOpening(ctx.db, circle, span)),
    listRevealsOfSounds(ctx, person, span),
  ])
  const seen = (kind: Reveal['kind']) => (reveal: RevealRow) => ({
    ...reveal,
    kind,
    isRevealed: isRevealed(reveal, now),
  })
  return [...revelations.map(seen('revelation')), ...sounds.map(seen('sound'))].toSorted(
    (one, other) => one.revealAt.getTime() - other.revealAt.getTime(),
  )
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
    circleOf(ctx, actor).then((circle) => countDeliveriesToCome(ctx.db, circle, ctx.now())),
    countUpcomingSounds(ctx, actor),
  ])
  return { reveals, upcoming: deliveries + sounds }
}
