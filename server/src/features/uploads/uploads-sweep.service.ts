import { type AppContext, inBatches } from '#server/context.ts'
import { sweepOrphans } from '#server/features/media/media-sweep.service.ts'
import { listKnownPieces, lockForgotten } from './uploads.repository.ts'
import { forgottenBefore, PIECES_PREFIX } from './uploads.rules.ts'
import { removeUploads } from './uploads.service.ts'

const BATCH = 100

/** Forgets what nobody went on with for a day, and what became a file that long ago; the file stays. */
export async function sweepUploads(ctx: AppContext): Promise<void> {
  await inBatches(ctx, BATCH, async (tx) => {
    const ids = await lockForgotten(tx.db, forgottenBefore(tx.now()), BATCH)
    await removeUploads(tx, ids)
    return ids.length
  })
}

/** Deletes stored pieces that no row names: what a kill left between the two. */
export async function sweepOrphanPieces(ctx: AppContext): Promise<void> {
  await sweepOrphans(ctx, PIECES_PREFIX, listKnownPieces)
}
