import type { FastifyRequest } from 'fastify'
import { DELIVERY_KEY_HEADER } from '#contract/deliveries.ts'
import type { AppContext } from '#server/context.ts'
import { findActorBySession } from '#server/features/auth/auth.service.ts'
import { type Actor, actorOf } from '#server/features/auth/auth.session.ts'
import {
  findKeyHolder,
  findKeyHolderByName,
  type KeyHolder,
} from '#server/features/deliveries/deliveries.service.ts'
import type { MediaGate } from '#server/features/media/media.service.ts'
import { findTie } from '#server/features/relationships/relationships.service.ts'
import { type EnvelopeRow, findEnvelopeByMedia } from './revelations.repository.ts'
import { mayKnowOf, mayRead, type Tie } from './revelations.rules.ts'

/** Who asks: an account, the bearer of a delivery's personal key, both, or nobody in particular. */
export interface Viewer {
  actor: Actor | null
  deliveryKey: string | null
}

export function viewerOf(request: FastifyRequest): Viewer {
  const key = request.headers[DELIVERY_KEY_HEADER]
  return { actor: actorOf(request), deliveryKey: typeof key === 'string' ? key : null }
}

/** The delivery a viewer holds the living key of. */
export async function keyHolderOf(ctx: AppContext, viewer: Viewer): Promise<KeyHolder | undefined> {
  return viewer.deliveryKey ? findKeyHolder(ctx, viewer.deliveryKey) : undefined
}

/** How somebody stands to one revelation. */
export async function tieTo(
  ctx: AppContext,
  actor: Actor | null,
  keyHolder: KeyHolder | undefined,
  envelope: EnvelopeRow,
): Promise<Tie> {
  const isAuthor = actor?.userId === envelope.authorId
  return {
    isAuthor,
    relationship:
      actor && !isAuthor ? await findTie(ctx, actor.userId, envelope.authorId) : undefined,
    ...addressedTo(actor, envelope, keyHolder),
  }
}

/** Whether it was sealed for this person, by a verified address or by the key they hold. */
export function addressedTo(
  actor: Pick<Actor, 'verifiedEmailKey'> | null,
  envelope: EnvelopeRow,
  keyHolder?: KeyHolder,
): Pick<Tie, 'isAddressee' | 'isSecondAddressee'> {
  const emailKey = actor?.verifiedEmailKey ?? null
  const rank = keyHolder?.revelationId === envelope.id ? keyHolder.rank : undefined
  return {
    isAddressee: rank === 'first' || (emailKey !== null && emailKey === envelope.targetEmailKey),
    isSecondAddressee:
      rank === 'second' || (emailKey !== null && emailKey === envelope.secondEmailKey),
  }
}

/** What a media ticket remembers of the viewer, so that the right can be checked again at each request. */
export function holderOf(
  viewer: Viewer,
  keyHolder: KeyHolder | undefined,
  revelationId: string | undefined,
): string {
  if (keyHolder && keyHolder.revelationId === revelationId) return `key:${keyHolder.keyName}`
  return viewer.actor ? `session:${viewer.actor.sessionId}` : 'visitor'
}

/** Whether the holder of a ticket may have a part of a revelation's file now. */
export const revelationMediaGate: MediaGate = async (ctx, { mediaId, part, holder }) => {
  const envelope = await findEnvelopeByMedia(ctx.db, mediaId)
  if (!envelope) return undefined
  const tie = await tieOfHolder(ctx, holder, envelope)
  if (!tie) return false
  const rule = part === 'letter' ? mayRead : mayKnowOf
  return rule(tie, envelope, ctx.now())
}

/** Undefined when the session ended or the key was revoked since. */
async function tieOfHolder(
  ctx: AppContext,
  holder: string,
  envelope: EnvelopeRow,
): Promise<Tie | undefined> {
  const [kind, id = ''] = holder.split(':', 2)
  if (kind === 'session') {
    const actor = await findActorBySession(ctx, id)
    return actor && tieTo(ctx, actor, undefined, envelope)
  }
  if (kind === 'key') {
    const keyHolder = await findKeyHolderByName(ctx, id)
    return keyHolder && tieTo(ctx, null, keyHolder, envelope)
  }
  return tieTo(ctx, null, undefined, envelope)
}
