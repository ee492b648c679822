import { lengthInWords } from '#contract/date-in-words.ts'
import { ERRORS } from '#contract/errors.ts'
import {
  REPLY_VOICE_MAX_BYTES,
  REPLY_VOICE_MAX_SECONDS,
  REPLY_VOICE_TOO_HEAVY,
  REPLY_VOICE_TOO_LONG,
} from '#contract/replies.ts'
import { UPLOAD_EXPIRES_AFTER_MS } from '#contract/uploads.ts'
import { type AppContext, inTransaction } from '#server/context.ts'
import { AppError } from '#server/errors.ts'
import { offerOf } from '#server/features/subscriptions/offers.rules.ts'
import {
  getLimits,
  type Limits,
  lockLimits,
} from '#server/features/subscriptions/subscriptions.service.ts'
import { withKeyedMutex } from '#server/platform/keyed-semaphore.ts'
import { measureUsage, type StorageUsage } from './media.repository.ts'

/** A transfer without a sign of life for this long counts neither in the quota nor in the slots. */
const DEAD_AFTER_MS = 60_000
const TRANSFERS_AT_ONCE = 2
const MB = 1024 * 1024

/** What is left of the storage of an account. */
export interface Quota {
  remainingBytes: number
  /** Whether a verified address would give more. */
  awaitsVerification: boolean
}

/** How much one file may take, and the error of a larger one. */
export interface Room {
  bytes: number
  exceeded(): AppError
}

/** What a personal link may send counts in nobody’s plan: a voice, as long and heavy as any reply may have. */
export const LINK_ROOM: Room = {
  bytes: REPLY_VOICE_MAX_BYTES,
  exceeded: () => new AppError('file_too_large', { message: REPLY_VOICE_TOO_HEAVY }),
}

export function requireLinkRoom(bytes: number): void {
  if (bytes > LINK_ROOM.bytes) throw LINK_ROOM.exceeded()
}

export function requireLinkDuration(seconds: number | null): void {
  if (seconds === null || seconds > REPLY_VOICE_MAX_SECONDS) {
    throw new AppError('media_too_long', { message: REPLY_VOICE_TOO_LONG })
  }
}

type UsedQuota = Quota & { usage: StorageUsage }

/** Bytes of a person's plan in use: the originals as they were sent, and what is reserved for unfinished uploads. */
export async function storageUsedBy(ctx: AppContext, userId: string): Promise<number> {
  return (await loadUsage(ctx, userId)).usedBytes
}

/** Rejects with `quota_exceeded` what does not fit now; reserves nothing. */
export async function requireQuota(ctx: AppContext, userId: string, bytes: number): Promise<void> {
  requireFit(bytes, quotaOf(await getLimits(ctx, userId), await loadUsage(ctx, userId)))
}

/** Rejects with `media_too_long` what lasts longer than the plan allows. */
export async function requireDuration(
  ctx: AppContext,
  userId: string,
  seconds: number | null,
): Promise<void> {
  const { plan, longestMediaSeconds } = await getLimits(ctx, userId)
  if ((seconds ?? 0) > longestMediaSeconds) {
    throw mediaTooLong(seconds ?? 0, { longestMediaSeconds, planName: offerOf(plan).name })
  }
}

/**
 * A transaction that reserves quota. Those of one person wait here for each other, not each on a connection of its own
 * for the locked account: many at once would leave no connection to anybody else.
 */
export function inQuotaTransaction<T>(
  ctx: AppContext,
  userId: string,
  work: (tx: AppContext) => Promise<T>,
): Promise<T> {
  return withKeyedMutex(`room:${userId}`, () => inTransaction(ctx, work))
}

/** Locks the account and requires that `bytes` fit: the row inserted in the same transaction is the reservation. */
export async function reserveQuota(tx: AppContext, userId: string, bytes: number): Promise<void> {
  requireFit(bytes, await lockUsage(tx, userId))
}

/** The same for a transfer under way, which needs a free slot too; answers what is left before it. */
export async function reserveTransferQuota(
  tx: AppContext,
  userId: string,
  bytes: number,
): Promise<Quota> {
  const { usage, ...quota } = await lockUsage(tx, userId)
  if (usage.transfers >= TRANSFERS_AT_ONCE) throw noFreeSlot()
  requireFit(Math.max(1, bytes), { ...quota, usage })
  return quota
}

/** Requires that the real bytes of a file fit in the place of what its transfer had reserved. */
export async function reserveRealBytes(
  tx: AppContext,
  userId: string,
  mediaId: string,
  bytes: number,
): Promise<void> {
  requireFit(bytes, await lockUsage(tx, userId, mediaId))
}

async function lockUsage(tx: AppContext, userId: string, exceptId?: string): Promise<UsedQuota> {
  const limits = await lockLimits(tx, userId)
  return quotaOf(limits, await loadUsage(tx, userId, exceptId))
}

function loadUsage(ctx: AppContext, userId: string, exceptId?: string): Promise<StorageUsage> {
  const now = ctx.now().getTime()
  const since = {
    alive: new Date(now - DEAD_AFTER_MS),
    unexpired: new Date(now - UPLOAD_EXPIRES_AFTER_MS),
  }
  return measureUsage(ctx.db, userId, since, exceptId)
}

function quotaOf({ storageBytes, awaitsVerification }: Limits, usage: StorageUsage): UsedQuota {
  return { remainingBytes: storageBytes - usage.usedBytes, awaitsVerification, usage }
}

function requireFit(bytes: number, { usage, ...quota }: UsedQuota): void {
  if (bytes > quota.remainingBytes) throw quotaExceeded(quota, usage.reservedBytes)
}

/** An error with what is left, and the way out: `reservedBytes` belong to unfinished uploads. */
export function quotaExceeded(
  { remainingBytes, awaitsVerification }: Quota,
  reservedBytes = 0,
): AppError {
  const left = formatSize(Math.max(0, remainingBytes))
  if (awaitsVerification) {
    const { message } = ERRORS.address_unverified
    return new AppError('address_unverified', {
      message: `Ce fichier dépasse l’espace qui vous reste (${left}). ${message}`,
    })
  }
  const wayOut =
    reservedBytes > 0
      ? 'Terminez ou abandonnez un envoi en attente, supprimez un fichier ou changez de plan.'
      : 'Supprimez un fichier ou changez de plan.'
  const message = `Ce fichier dépasse l’espace qui vous reste (${left}). ${wayOut}`
  return new AppError('quota_exceeded', { message })
}

/** « 98,4 Mo », rounded down. */
function formatSize(bytes: number): string {
  const [size, unit] = bytes < 1024 * MB ? [bytes / MB, 'Mo'] : [bytes / MB / 1024, 'Go']
  return `${(Math.floor(size * 10) / 10).toLocaleString('fr')}\u00A0${unit}`
}

function noFreeSlot(): AppError {
  return new AppError('too_many_requests', {
    message: 'Deux envois sont déjà en cours. Attendez la fin de l’un d’eux.',
    retryAfterSeconds: 10,
  })
}

function mediaTooLong(
  seconds: number,
  { longestMediaSeconds, planName }: { longestMediaSeconds: number; planName: string },
): AppError {
  const message = `Ce fichier dure ${formatHours(seconds)}, et le plan ${planName} accepte jusqu’à ${formatHours(longestMediaSeconds)} par fichier. Raccourcissez-le ou changez de plan.`
  return new AppError('media_too_long', { message })
}

/** « 2 h 05 », rounded up: a file too long by a second does not read as long as the limit. */
function formatHours(seconds: number): string {
  return lengthInWords(Math.ceil(seconds / 60) * 60)
}
