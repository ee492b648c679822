import { UPLOAD_KEPT_MS } from '#contract/uploads.ts'
import { type AppContext, inTransaction } from '#server/context.ts'
import { getLimits, lockLimits } from '#server/features/subscriptions/subscriptions.service.ts'
import { inTurn } from '#server/platform/turns.ts'
import { measureUse, type Use } from './media.repository.ts'
import { noFreeSlot, overQuota } from './media-refusals.service.ts'
import { hasFreeSlot } from './media-uploads.rules.ts'

/** A transfer without a sign of life for this long holds no room and no slot. */
const DEAD_AFTER_MS = 60_000

/** What a person's files take and hold now. */
export function measure(ctx: AppContext, userId: string, exceptId?: string): Promise<Use> {
  const now = ctx.now().getTime()
  const since = {
    alive: new Date(now - DEAD_AFTER_MS),
    kept: new Date(now - UPLOAD_KEPT_MS),
  }
  return measureUse(ctx.db, userId, since, exceptId)
}

interface Room {
  roomBytes: number
  use: Use
}

function requireFit(bytes: number, { roomBytes, use }: Room): void {
  if (bytes > roomBytes) throw overQuota(roomBytes, use.heldBytes)
}

/** Refuses with `quota_exceeded` what does not fit now; nothing is reserved. */
export async function requireRoom(ctx: AppContext, userId: string, bytes: number): Promise<void> {
  const { storageBytes } = await getLimits(ctx, userId)
  const use = await measure(ctx, userId)
  requireFit(bytes, { roomBytes: storageBytes - use.usedBytes, use })
}

/**
 * A transaction that takes room. Those of one person wait here, and not each on a connection of its own for the account
 * that the first of them holds: many at once would leave none to anybody else.
 */
export function reserving<T>(
  ctx: AppContext,
  userId: string,
  work: (tx: AppContext) => Promise<T>,
): Promise<T> {
  return inTurn(`room:${userId}`, () => inTransaction(ctx, work))
}

/**
 * Locks the account and requires that `bytes` fit; the row inserted in the same transaction is the reservation.
 */
export async function lockRoom(tx: AppContext, userId: string, bytes: number): Promise<void> {
  requireFit(bytes, await lockUse(tx, userId))
}

/** The same for a transfer under way, which needs a free slot too; gives the room there is for it. */
export async function lockTransferRoom(
  tx: AppContext,
  userId: string,
  bytes: number,
): Promise<number> {
  const room = await lockUse(tx, userId)
  if (!hasFreeSlot(room.use.transfers)) throw noFreeSlot()
  requireFit(Math.max(1, bytes), room)
  return room.roomBytes
}

/** Counts the real bytes of a transfer in the place of what it had reserved. */
export async function settleRoom(
  tx: AppContext,
  userId: string,
  mediaId: string,
  bytes: number,
): Promise<void> {
  requireFit(bytes, await lockUse(tx, userId, mediaId))
}

async function lockUse(tx: AppContext, userId: string, exceptId?: string): Promise<Room> {
  const { storageBytes } = await lockLimits(tx, userId)
  const use = await measure(tx, userId, exceptId)
  return { roomBytes: storageBytes - use.usedBytes, use }
}
