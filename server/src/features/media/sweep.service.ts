import { type AppContext, inBatches, inTransaction } from '#server/context.ts'
import type { Db } from '#server/platform/database/db.ts'
import { listKnownKeys, lockMedia, lockUnused } from './media.repository.ts'
import { MEDIA_PREFIX } from './media.rules.ts'
import { releaseMedia } from './media.service.ts'
import { failStep, listAbandonedSteps } from './steps.repository.ts'
import { formatStepError, updateReadiness } from './steps.service.ts'
import { listKnownPieces, lockExpired } from './uploads.repository.ts'
import { expiredBefore, PIECES_PREFIX } from './uploads.rules.ts'
import { releaseUploads } from './uploads.service.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const UNUSED_AFTER_MS = 24 * HOUR_MS
const DEAD_TRANSFER_AFTER_MS = 5 * MINUTE_MS
/** An object stands without a row only between the end of its writing and the row that names it. */
const ORPHAN_AFTER_MS = HOUR_MS
const ABANDONED_AFTER_MS = 3 * 24 * HOUR_MS
const BATCH = 100

/**
 * Deletes files that nothing used for 24 hours, and transfers that died. A file that a letter claims at this moment is
 * either claimed or swept, never both.
 */
export async function sweepUnusedMedia(ctx: AppContext): Promise<void> {
  await inBatches(ctx, BATCH, async (tx) => {
    const now = tx.now().getTime()
    const before = {
      unused: new Date(now - UNUSED_AFTER_MS),
      dead: new Date(now - DEAD_TRANSFER_AFTER_MS),
    }
    const ids = await lockUnused(tx.db, before, BATCH)
    for (const id of ids) await releaseMedia(tx, id)
    return ids.length
  })
  await failAbandonedSteps(ctx)
}

/** Fails the steps whose job the queue has dropped, so that their author does not wait for ever. */
async function failAbandonedSteps(ctx: AppContext): Promise<void> {
  const before = new Date(ctx.now().getTime() - ABANDONED_AFTER_MS)
  for (const { id, mediaId } of await listAbandonedSteps(ctx.db, before, BATCH)) {
    await inTransaction(ctx, async (tx) => {
      await lockMedia(tx.db, mediaId)
      await failStep(tx.db, id, formatStepError())
      await updateReadiness(tx, mediaId)
    })
  }
}

/** Deletes uploads that expired, and those that became a file a day ago; the file stays. */
export async function sweepUploads(ctx: AppContext): Promise<void> {
  await inBatches(ctx, BATCH, async (tx) => {
    const ids = await lockExpired(tx.db, expiredBefore(tx.now()), BATCH)
    await releaseUploads(tx, ids)
    return ids.length
  })
}

/** Deletes stored files that no row names: a kill leaves them between the two. */
export async function sweepOrphanFiles(ctx: AppContext): Promise<void> {
  await sweepOrphans(ctx, MEDIA_PREFIX, listKnownKeys)
}

/** The same for stored pieces of uploads. */
export async function sweepOrphanPieces(ctx: AppContext): Promise<void> {
  await sweepOrphans(ctx, PIECES_PREFIX, listKnownPieces)
}

/** Deletes old objects under a prefix that `listKnown` does not name. */
export async function sweepOrphans(
  ctx: AppContext,
  prefix: string,
  listKnown: (db: Db, storageKeys: readonly string[]) => Promise<Set<string>>,
): Promise<void> {
  async function deleteUnknown(storageKeys: readonly string[]): Promise<void> {
    const known = await listKnown(ctx.db, storageKeys)
    for (const key of storageKeys) {
      if (!known.has(key)) await ctx.storage.delete(key)
    }
  }
  const before = new Date(ctx.now().getTime() - ORPHAN_AFTER_MS)
  let batch: string[] = []
  for await (const { key, modifiedAt } of ctx.storage.list(prefix)) {
    if (modifiedAt < before) batch.push(key)
    if (batch.length < BATCH) continue
    await deleteUnknown(batch)
    batch = []
  }
  if (batch.length > 0) await deleteUnknown(batch)
}
