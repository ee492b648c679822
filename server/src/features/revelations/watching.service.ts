import type { AppContext } from '#server/context.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { tiesBetween } from '#server/features/relationships/ties.service.ts'
import type { EnvelopeRow } from './revelations.repository.ts'
import { mayKnowOf } from './revelations.rules.ts'
import { addressedTo } from './viewers.service.ts'
import {
  type Belonging,
  findByMedia,
  findEnvelopes,
  listRevealedWithin,
} from './watching.repository.ts'

/** Somebody with an account, signed in or not: mails ask the gate too. */
export type Onlooker = Pick<Actor, 'userId' | 'verifiedEmailKey'>

/** The envelope if this person may know of it now. */
export type Sight = (onlooker: Onlooker, id: string) => EnvelopeRow | undefined

/** The gate, asked for many people and many revelations in two queries. */
export async function sightOf(
  ctx: AppContext,
  actors: readonly Onlooker[],
  ids: readonly string[],
): Promise<Sight> {
  const envelopes = new Map<string, EnvelopeRow>()
  for (const envelope of await findEnvelopes(ctx.db, ids)) envelopes.set(envelope.id, envelope)
  const authorIds = new Set([...envelopes.values()].map(({ authorId }) => authorId))
  const userIds = new Set(actors.map(({ userId }) => userId))
  const tieOf = await tiesBetween(ctx, [...userIds], [...authorIds])
  const now = ctx.now()
  return (actor, id) => {
    const envelope = envelopes.get(id)
    if (!envelope) return undefined
    const tie = {
      isAuthor: actor.userId === envelope.authorId,
      relationship: tieOf(actor.userId, envelope.authorId),
      ...addressedTo(actor, envelope),
    }
    return mayKnowOf(tie, envelope, now) ? envelope : undefined
  }
}

/** The revelations these files belong to. */
export async function revelationsWith(
  ctx: AppContext,
  mediaIds: readonly string[],
): Promise<Belonging[]> {
  return findByMedia(ctx.db, mediaIds)
}

/** What reached its instant after one look and until the next. */
export async function revealedWithin(
  ctx: AppContext,
  span: { since: Date; until: Date },
): Promise<Belonging[]> {
  return listRevealedWithin(ctx.db, span)
}
