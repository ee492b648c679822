import { type AppContext, inBatches, inTransaction } from '#server/context.ts'
import type { Db } from '#server/platform/database/database.ts'
import { listKnownKeys, lockMedia, lockUnused } from './media.repository.ts'
import { MEDIA_PREFIX } from './media.rules.ts'
import { releaseMedia } from './media.service.ts'
import { sentenceOf } from './media-step-failures.service.ts'
import { failStep, listAbandonedSteps } from './media-steps.repository.ts'
import { settle } from './media-steps.service.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const UNUSED_AFTER_MS = 24 * HOUR_MS
const DEAD_TRANSFER_AFTER_MS = 5 * MINUTE_MS
/** An object stands without a row only between the end of its writing and the row that names it. */
const ORPHAN_AFTER_MS = HOUR_MS
const ABANDONED_AFTER_MS = 3 * 24 * HOUR_MS
const BATCH = 100

/**
 * Forgets files that nothing used for 24 hours and transfers that died. A file somebody is taking at this moment is
 * either taken or swept, never both.
 */
export async function sweepUnusedMedia(ctx: AppContext): Promise<void> {
  await inBatches(ctx, BATCH, releaseBatch)
  await giveUpSteps(ctx)
}

async function releaseBatch(tx: AppContext): Promise<number> {
  const now = tx.now().getTime()
  const before = {
    unused: new Date(now - UNUSED_AFTER_MS),
    dead: new Date(now - DEAD_TRANSFER_AFTER_MS),
  }
  const ids = await lockUnused(tx.db, before, BATCH)
  for (const id of ids) await releaseMedia(tx, id)
  return ids.length
}

/** Deletes stored files that no row names: what a kill left between the two. */
export async function sweepOrphanFiles(ctx: AppContext): Promise<void> {
  await sweepOrphans(ctx, MEDIA_PREFIX, listKnownKeys)
}

/** Deletes what is stored under a prefix since long and that `listKnown` does not know. */
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

/** Steps whose job the queue has given up: their author is not left waiting for ever. */
async function giveUpSteps(ctx: AppContext): Promise<void> {
  const before = new Date(ctx.now().getTime() - ABANDONED_AFTER_MS)
  for (const { id, mediaId } of await listAbandonedSteps(ctx.db, before, BATCH)) {
    await inTransaction(ctx, async (tx) => {
      await lockMedia(tx.db, mediaId)
      await failStep(tx.db, id, sentenceOf())
      await settle(tx, mediaId)
    })
  }
}
