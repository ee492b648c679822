import type { AppContext } from '#server/context.ts'
import { AppError, notFound } from '#server/errors.ts'
import { canRead, isAddressee, type ReplyRelation } from '#server/features/access/access.rules.ts'
import {
  findEnvelope,
  type KnownEnvelope,
  requireEnvelope,
} from '#server/features/access/envelopes.service.ts'
import { grantReply } from '#server/features/access/grants.service.ts'
import { findKnownByHolder, type MediaGate } from '#server/features/access/media-gate.service.ts'
import type { KeyHolder } from '#server/features/access/personal-keys.rules.ts'
import { findKnown, keyHolderOf, type Viewer } from '#server/features/access/viewers.service.ts'
import { findDelivery, ownDelivery } from '#server/features/deliveries/deliveries.service.ts'
import type { ReadingRight } from '#server/platform/sealing/reading-right.ts'
import { type Addressee, findReply, type ReplyRow } from './replies.repository.ts'
import { isRefused } from './reply-blocks.service.ts'

/** A letter with the one side of its replies that a viewer is on. */
export interface Place {
  known: KnownEnvelope
  /** Undefined for the author. */
  addressee: (Addressee & { isAuthorsOwn: boolean }) | undefined
}

/**
 * The author of a letter, whatever its instant, or an addressee of an open one; anybody else is answered `not_found`, as
 * for a letter that is not there.
 */
export async function requirePlace(
  ctx: AppContext,
  viewer: Viewer,
  revelationId: string,
): Promise<Place> {
  const known = await requireEnvelope(ctx, viewer, revelationId)
  if (known.relation.isAuthor) return { known, addressee: undefined }
  const { relation, envelope } = known
  const isReader = isAddressee(relation) && canRead(relation, envelope, ctx.now())
  const addressee = isReader ? await findAddressee(ctx, known) : undefined
  if (!addressee) throw notFound()
  return { known, addressee }
}

/** The same for the author alone. */
export async function requireAuthor(
  ctx: AppContext,
  viewer: Viewer,
  revelationId: string,
): Promise<KnownEnvelope> {
  const { known, addressee } = await requirePlace(ctx, viewer, revelationId)
  if (addressee) throw notFound()
  return known
}

async function findAddressee(ctx: AppContext, known: KnownEnvelope): Promise<Place['addressee']> {
  const deliveryId = ownDelivery(known)
  const facts = deliveryId && (await findDelivery(ctx, deliveryId))
  if (!facts) return undefined
  const { id, revelationId, address, addressKey, authorEmailKey } = facts
  const isAuthorsOwn = addressKey === authorEmailKey
  return { deliveryId: id, revelationId, address, addressKey, isAuthorsOwn }
}

/** The right to read one reply to a letter; undefined for whoever is neither its writer nor the author. */
export function rightTo(
  ctx: AppContext,
  { known, addressee }: Place,
  reply: ReplyRow,
): ReadingRight | undefined {
  const { envelope, relation } = known
  if (reply.revelationId !== envelope.id) return undefined
  const isWriter =
    addressee?.deliveryId === reply.deliveryId && addressee.addressKey === reply.addressKey
  const replyRelation: ReplyRelation = { ...relation, isWriter }
  return grantReply(replyRelation, reply, envelope, ctx.now())
}

/** A reply that the viewer may read. */
export async function requireReply(
  ctx: AppContext,
  place: Place,
  replyId: string,
): Promise<{ reply: ReplyRow; right: ReadingRight }> {
  const reply = await findReply(ctx.db, { id: replyId })
  const right = reply && rightTo(ctx, place, reply)
  if (!right) throw notFound()
  return { reply, right }
}

/** A reply to a letter of this viewer's own; `not_found` for any other. */
export async function requireReceived(
  ctx: AppContext,
  viewer: Viewer,
  replyId: string,
): Promise<ReplyRow> {
  const reply = await findReply(ctx.db, { id: replyId })
  if (!reply) throw notFound()
  const known = await requireAuthor(ctx, viewer, reply.revelationId)
  return (await requireReply(ctx, { known, addressee: undefined }, replyId)).reply
}

/** Whether the holder of a ticket may hear the voice of a reply now. No part of it shows with an envelope. */
export const replyMediaGate: MediaGate = async (ctx, { mediaId, holder }) => {
  const reply = await findReply(ctx.db, { mediaId })
  if (!reply) return undefined
  const envelope = await findEnvelope(ctx, reply.revelationId)
  const known = envelope && (await findKnownByHolder(ctx, holder, envelope))
  if (!known) return { isAllowed: false }
  const addressee = known.relation.isAuthor ? undefined : await findAddressee(ctx, known)
  const right = rightTo(ctx, { known, addressee }, reply)
  return { isAllowed: right !== undefined, right }
}

/** The bearer of a personal link whose letter is open, who may send a voice by it; `replies_blocked` where nobody takes it. */
export async function findVoiceSender(
  ctx: AppContext,
  viewer: Viewer,
): Promise<KeyHolder | undefined> {
  const named = await keyHolderOf(ctx, viewer)
  const known = named && (await findKnown(ctx, { ...viewer, actor: null }, named.revelationId))
  if (!known) return undefined
  const { envelope, relation, keyHolder } = known
  if (!canRead(relation, envelope, ctx.now())) return undefined
  const addressee = await findAddressee(ctx, known)
  // A letter to oneself has no replies: its link would be room beside the plan of its author.
  if (!addressee || addressee.isAuthorsOwn) return undefined
  const { addressKey } = addressee
  if (await isRefused(ctx, envelope.authorId, { addressKey, writerId: null })) {
    throw new AppError('replies_blocked')
  }
  return keyHolder
}
