import { type AppContext, inTransaction } from '#server/context.ts'
import { AppError, notFound } from '#server/errors.ts'
import { addressedDelivery, isRevealed } from '#server/features/access/access.rules.ts'
import { type KnownEnvelope, requireEnvelope } from '#server/features/access/envelopes.service.ts'
import { isSavedByHand } from '#server/features/access/saved-letters.service.ts'
import type { Viewer } from '#server/features/access/viewers.service.ts'
import { ownDelivery, recordOpening } from '#server/features/deliveries/deliveries.service.ts'
import { isForeignKeyViolation } from '#server/platform/database/sql-errors.ts'
import { insertOpening } from './openings.repository.ts'

/**
 * Records that this reader broke the seal, and returns when they first did. The author of a letter is told once, of the
 * first act of its addressee, and never of one that was to be kept quiet. `still_sealed` before the instant;
 * `unauthenticated` to whoever is neither signed in nor bears the key of this letter.
 */
export async function openRevelation(
  ctx: AppContext,
  viewer: Viewer,
  id: string,
  { tellsAuthor }: { tellsAuthor: boolean },
): Promise<Date> {
  const known = await requireEnvelope(ctx, viewer, id)
  if (!isRevealed(known.envelope, ctx.now())) throw new AppError('still_sealed')
  const userId = viewer.actor?.userId
  try {
    return await inTransaction(ctx, async (tx) => {
      const deliveryId = ownDelivery(known)
      if (userId === undefined && deliveryId === undefined) throw new AppError('unauthenticated')
      const openedAt = tx.now()
      const byDelivery =
        deliveryId &&
        (await recordOpening(tx, deliveryId, {
          tellsAuthor,
          isByHand: await opensByHand(tx, viewer, known),
        }))
      const byAccount =
        userId && (await insertOpening(tx.db, { revelationId: id, userId, openedAt }))
      return byAccount || byDelivery || openedAt
    })
  } catch (error) {
    // The revelation was deleted meanwhile.
    throw isForeignKeyViolation(error) ? notFound() : error
  }
}

/** Whether this reader has the letter by a link that its author gave by hand, and by nothing that goes before it. */
async function opensByHand(
  tx: AppContext,
  { actor }: Viewer,
  { envelope, keyHolder }: KnownEnvelope,
): Promise<boolean> {
  if (keyHolder?.revelationId === envelope.id) return keyHolder.isHanded
  if (!actor || addressedDelivery(actor, envelope)) return false
  return isSavedByHand(tx, actor, envelope.id)
}
