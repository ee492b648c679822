import { ERRORS } from '#contract/errors.ts'
import { type AppContext, inTransaction } from '#server/context.ts'
import { publishMediaSettled } from '#server/platform/events/events.ts'
import { handles, type Schedule } from '#server/platform/jobs/work.ts'
import { TooManyPixels, UnreadableMedia } from '#server/platform/media-tools/media-errors.ts'
import { StorageFull } from '#server/platform/storage/storage.ts'
import { compressVideo, deleteMediaFiles, prepareMedia } from './media.jobs.ts'
import { findMedia, lockMedia, moveMedia, replaceObject } from './media.repository.ts'
import { isLastTry } from './media.rules.ts'
import {
  completeStep,
  countFailure,
  failStep,
  findStep,
  type StepRow,
  writeProgress,
} from './media-steps.repository.ts'
import { deleteFilesLater, settle } from './media-steps.service.ts'
import { sweepOrphanFiles, sweepUnusedMedia } from './media-sweep.service.ts'
import { discardObjects, type MadeObject, makeVariants } from './media-variants.service.ts'

const PROGRESS_EVERY_MS = 1_000
/** Less than the queue waits, so that a run it takes for lost is really over. */
const LONGEST_RUN_MS = { prepare: 50 * 60_000, compress: 6.5 * 3_600_000 }

export const mediaHandlers = [
  handles(prepareMedia, (ctx: AppContext, { stepId }) => handleMediaStep(ctx, { stepId })),
  handles(compressVideo, (ctx: AppContext, { stepId }) => handleMediaStep(ctx, { stepId })),
  handles(deleteMediaFiles, handleDeleteMediaFiles),
]

export const mediaSchedules: Schedule<AppContext>[] = [
  { name: 'sweep-unused-media', everyMs: 5 * 60_000, run: sweepUnusedMedia },
  { name: 'sweep-orphan-files', everyMs: 60 * 60_000, run: sweepOrphanFiles },
]

/** Makes the variants of one step. Run twice, or cut in the middle, it ends the same. */
export async function handleMediaStep(
  ctx: AppContext,
  { stepId }: { stepId: string },
): Promise<void> {
  const step = await findStep(ctx.db, stepId)
  const media = step && (await findMedia(ctx.db, step.mediaId))
  if (!step || !media || step.state === 'completed') return
  try {
    const signal = AbortSignal.any([ctx.stopping, AbortSignal.timeout(longestRunOf(step))])
    const onProgress = progressWriter(ctx, stepId)
    const made = await makeVariants(ctx, media, step, { signal, onProgress })
    await keepVariants(ctx, step, made)
  } catch (error) {
    // A stop is nobody's failure: the job goes back to the queue.
    if (ctx.stopping.aborted) throw error
    if (!(await recordFailure(ctx, step, error))) throw error
  }
}

function longestRunOf({ type }: StepRow): number {
  return type === 'mobile' ? LONGEST_RUN_MS.compress : LONGEST_RUN_MS.prepare
}

function progressWriter(ctx: AppContext, stepId: string): (fraction: number) => void {
  let writtenAt = 0
  return (fraction) => {
    const now = Date.now()
    if (now - writtenAt < PROGRESS_EVERY_MS) return
    writtenAt = now
    // 100 is said by the end of the step alone.
    writeProgress(ctx.db, stepId, Math.min(99, Math.floor(fraction * 100))).catch((error) =>
      ctx.log.warn({ err: error }, 'the progress of a step could not be told'),
    )
  }
}

/** Puts what was made in its place; when the file or the step has gone meanwhile, it is thrown away. */
async function keepVariants(ctx: AppContext, step: StepRow, made: MadeObject[]): Promise<void> {
  const isKept = await inTransaction(ctx, async (tx) => {
    const { mediaId } = step
    const media = await lockMedia(tx.db, mediaId)
    if (!media || !(await findStep(tx.db, step.id))) return false
    const replaced: string[] = []
    for (const object of made) {
      const previous = await replaceObject(tx.db, { ...object, mediaId, createdAt: tx.now() })
      if (previous) replaced.push(previous)
    }
    await deleteFilesLater(tx, replaced)
    await completeStep(tx.db, step.id)
    await settle(tx, mediaId)
    publishMediaSettled(tx, mediaId)
    return true
  })
  if (!isKept) await discardObjects(ctx, made)
}

/** Counts a failed try; true when it was the last one and the step is now failed for its author to see. */
async function recordFailure(ctx: AppContext, step: StepRow, error: unknown): Promise<boolean> {
  const isUnreadable = error instanceof UnreadableMedia || error instanceof TooManyPixels
  // A full disk is the operator's to mend: the queue goes on trying, further and further apart.
  if (error instanceof StorageFull) return false
  return inTransaction(ctx, async (tx) => {
    if (!(await lockMedia(tx.db, step.mediaId))) return true
    const tries = await countFailure(tx.db, step.id)
    if (tries !== undefined && !isLastTry({ attempts: tries - 1 }) && !isUnreadable) return false
    ctx.log.warn({ mediaId: step.mediaId, type: step.type, err: error }, 'a step failed for good')
    const sentence = isUnreadable ? 'Ce fichier est abîmé ou illisible' : ERRORS.unexpected.message
    await failStep(tx.db, step.id, sentence)
    if (isUnreadable) await moveMedia(tx.db, step.mediaId, 'processing', 'failed')
    await settle(tx, step.mediaId)
    publishMediaSettled(tx, step.mediaId)
    return true
  })
}

export async function handleDeleteMediaFiles(
  ctx: AppContext,
  { storageKeys }: { storageKeys: string[] },
): Promise<void> {
  for (const storageKey of storageKeys) await ctx.storage.delete(storageKey)
}
