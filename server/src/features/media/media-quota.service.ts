import { UPLOAD_KEPT_MS } from '#contract/uploads.ts'
import { type AppContext, inTransaction } from '#server/context.ts'
import { offerOf } from '#server/features/subscriptions/offers.rules.ts'
import {
  getLimits,
  type Limits,
  lockLimits,
} from '#server/features/subscriptions/subscriptions.service.ts'
import { inTurn } from '#server/platform/turns.ts'
import { measureUse, type Use } from './media.repository.ts'
import { noFreeSlot, overQuota, tooLong } from './media-refusals.service.ts'
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

/** What is left of the room of an account. */
export interface Room {
  roomBytes: number
  /** Whether a verified address would give more. */
  awaitsVerification: boolean
}

type UsedRoom = Room & { use: Use }

function requireFit(bytes: number, { use, ...room }: UsedRoom): void {
  if (bytes > room.roomBytes) throw overQuota({ ...room, heldBytes: use.heldBytes })
}

/** Refuses with `quota_exceeded` what does not fit now; nothing is reserved. */
export async function requireRoom(ctx: AppContext, userId: string, bytes: number): Promise<void> {
  requireFit(bytes, roomOf(await getLimits(ctx, userId), await measure(ctx, userId)))
}

/** Refuses with `media_too_long` what lasts longer than the plan lets anything be prepared for. */
export async function requireLength(
  ctx: AppContext,
  userId: string,
  seconds: number | null,
): Promise<void> {
  const { plan, longestMediaSeconds } = await getLimits(ctx, userId)
  if ((seconds ?? 0) > longestMediaSeconds) {
    throw tooLong(seconds ?? 0, { longestMediaSeconds, planName: offerOf(plan).name })
  }
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
): Promise<Room> {
  const { use, ...room } = await lockUse(tx, userId)
  if (!hasFreeSlot(use.transfers)) throw noFreeSlot()
  requireFit(Math.max(1, bytes), { ...room, use })
  return room
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

async function lockUse(tx: AppContext, userId: string, exceptId?: string): Promise<UsedRoom> {
  const limits = await lockLimits(tx, userId)
  return roomOf(limits, await measure(tx, userId, exceptId))
}

function roomOf({ storageBytes, awaitsVerification }: Limits, use: Use): UsedRoom {
  return { roomBytes: storageBytes - use.usedBytes, awaitsVerification, use }
}
