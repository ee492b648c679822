import type { AppContext } from '#server/context.ts'
import { AppError, notFound } from '#server/errors.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { canRead, canViewEnvelope, type ViewerRelation } from './access.rules.ts'
import {
  findEnvelope as findEnvelopeRow,
  listByMedia,
  listEnvelopesById,
  listRevealedWithin as listRevealedRows,
  lockEnvelope,
  type OwnedRevelation,
} from './envelopes.repository.ts'
import type { EnvelopeRow } from './envelopes.rules.ts'
import type { KeyHolder } from './personal-keys.rules.ts'
import { isRevokedKey } from './personal-keys.service.ts'
import { findKnown, type KnownEnvelope, type Viewer } from './viewers.service.ts'

export type { EnvelopeRow, KnownEnvelope }

/**
 * The envelope if the viewer may know of it; otherwise `not_found`, so that a hidden revelation cannot be distinguished from a
 * missing one, or `link_revoked` for a key that opened it until it was revoked.
 */
export async function requireEnvelope(
  ctx: AppContext,
  viewer: Viewer,
  id: string,
): Promise<KnownEnvelope> {
  const known = await findKnown(ctx, viewer, id)
  if (!known) throw notFound()
  const { envelope, relation } = known
  if (canViewEnvelope(relation, envelope, ctx.now())) return known
  throw (await wasRevoked(ctx, viewer, relation, envelope))
    ? new AppError('link_revoked')
    : notFound()
}

/**
 * Reads something of a revelation that the viewer may know of. A version that was sealed while `read` ran passes the gate
 * anew; what is still not whole then is damaged, and answered as it is.
 */
export async function readVisible<T extends { isWhole: boolean }>(
  ctx: AppContext,
  viewer: Viewer,
  id: string,
  read: (known: KnownEnvelope) => Promise<T>,
): Promise<T> {
  let known = await requireEnvelope(ctx, viewer, id)
  for (;;) {
    const found = await read(known)
    if (found.isWhole) return found
    const latest = await requireEnvelope(ctx, viewer, id)
    if (latest.envelope.commitment.equals(known.envelope.commitment)) return found
    known = latest
  }
}

/**
 * A letter as the bearer of its living key may see it, whoever they are besides; `not_found` alike for a dead key, that of
 * another letter, and none.
 */
export async function requireByKey(
  ctx: AppContext,
  viewer: Viewer,
  id: string,
): Promise<{ envelope: EnvelopeRow; keyHolder: KeyHolder }> {
  const known = await findKnown(ctx, { ...viewer, actor: null }, id)
  if (known?.keyHolder?.revelationId !== id) throw notFound()
  const { envelope, relation, keyHolder } = known
  if (!canViewEnvelope(relation, envelope, ctx.now())) throw notFound()
  return { envelope, keyHolder }
}

/** Whether their key would open it had it not been revoked: the bearer was let in once, and may know why no more. */
async function wasRevoked(
  ctx: AppContext,
  { deliveryKey }: Viewer,
  relation: ViewerRelation,
  envelope: EnvelopeRow,
): Promise<boolean> {
  const asAddressee = { ...relation, deliveryIds: envelope.recipients.map((one) => one.deliveryId) }
  if (deliveryKey === null || !canRead(asAddressee, envelope, ctx.now())) return false
  return isRevokedKey(ctx, deliveryKey, envelope.id)
}

/** The envelope alone, by the same gate. */
export async function getEnvelope(
  ctx: AppContext,
  viewer: Viewer,
  id: string,
): Promise<EnvelopeRow> {
  return (await requireEnvelope(ctx, viewer, id)).envelope
}

/** The actor's own revelation; `not_author` when it is seen but somebody else's. */
export async function requireOwn(ctx: AppContext, actor: Actor, id: string): Promise<EnvelopeRow> {
  const envelope = await getEnvelope(ctx, { actor, deliveryKey: null }, id)
  if (envelope.authorId !== actor.userId) throw new AppError('not_author')
  return envelope
}

/** The actor's own revelation with its row locked; refused as by `requireOwn`. */
export async function lockOwn(tx: AppContext, actor: Actor, id: string): Promise<EnvelopeRow> {
  await requireOwn(tx, actor, id)
  return lockRow(tx, id)
}

/** A revelation that the actor may know of, with its row locked. */
export async function lockKnown(tx: AppContext, actor: Actor, id: string): Promise<EnvelopeRow> {
  await getEnvelope(tx, { actor, deliveryKey: null }, id)
  return lockRow(tx, id)
}

async function lockRow(tx: AppContext, id: string): Promise<EnvelopeRow> {
  const locked = await lockEnvelope(tx.db, id)
  if (!locked) throw notFound()
  return locked
}

/** Whatever the viewer may know: for its own feature, which shows it to nobody without the gate. */
export async function findEnvelope(ctx: AppContext, id: string): Promise<EnvelopeRow | undefined> {
  return findEnvelopeRow(ctx.db, id)
}

/** In no order. */
export async function findEnvelopes(
  ctx: AppContext,
  ids: readonly string[],
): Promise<EnvelopeRow[]> {
  return listEnvelopesById(ctx.db, ids)
}

/** The revelations that these files belong to, with their authors. */
export async function listRevelationsOfFiles(
  ctx: AppContext,
  mediaIds: readonly string[],
): Promise<OwnedRevelation[]> {
  return listByMedia(ctx.db, mediaIds)
}

/** The revelations that reached their instant after `since`, up to `until`. */
export async function listRevealedWithin(
  ctx: AppContext,
  span: { since: Date; until: Date },
): Promise<OwnedRevelation[]> {
  return listRevealedRows(ctx.db, span)
}
