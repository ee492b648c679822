import type { AppContext } from '#server/context.ts'
import { getLimits, lockLimits } from '#server/features/subscriptions/subscriptions.service.ts'
import { measureUse } from './media.repository.ts'
import { noFreeSlot, overQuota } from './media-refusals.service.ts'
import { hasFreeSlot } from './media-uploads.rules.ts'

/** A transfer without a sign of life for this long holds no room and no slot. */
const DEAD_AFTER_MS = 60_000

function deadBefore(ctx: AppContext): Date {
  return new Date(ctx.now().getTime() - DEAD_AFTER_MS)
}

/** Refuses with `quota_exceeded` what does not fit now; nothing is reserved. */
export async function requireRoom(ctx: AppContext, userId: string, bytes: number): Promise<void> {
  const { storageBytes } = await getLimits(ctx, userId)
  const { usedBytes } = await measureUse(ctx.db, userId, deadBefore(ctx))
  const roomBytes = storageBytes - usedBytes
  if (bytes > roomBytes) throw overQuota(roomBytes)
}

/**
 * Locks the account and gives the room it has left, once a transfer of at least `bytes` fits and has a free slot;
 * the row inserted in the same transaction is the reservation.
 */
export async function lockRoom(tx: AppContext, userId: string, bytes: number): Promise<number> {
  const { storageBytes } = await lockLimits(tx, userId)
  const { usedBytes, transfers } = await measureUse(tx.db, userId, deadBefore(tx))
  const roomBytes = storageBytes - usedBytes
  if (!hasFreeSlot(transfers)) throw noFreeSlot()
  if (Math.max(1, bytes) > roomBytes) throw overQuota(roomBytes)
  return roomBytes
}

/** Counts the real bytes of a transfer in the place of what it had reserved. */
export async function settleRoom(
  tx: AppContext,
  userId: string,
  mediaId: string,
  bytes: number,
): Promise<void> {
  const { storageBytes } = await lockLimits(tx, userId)
  const { usedBytes } = await measureUse(tx.db, userId, deadBefore(tx), mediaId)
  const roomBytes = storageBytes - usedBytes
  if (bytes > roomBytes) throw overQuota(roomBytes)
}
