import { randomUUID } from 'node:crypto'
import { type AppContext, inTransaction } from '#server/context.ts'
import { TooMuchWork } from '#server/platform/media-tools/media-errors.ts'
import { publishMediaSettled } from '#server/platform/pubsub/pubsub.ts'
import { isDiskFull } from '#server/platform/storage/storage.ts'
import { openFacts, openKeyForWork } from './file-keys.service.ts'
import {
  findMedia,
  lockMedia,
  type MediaRow,
  replaceObject,
  updateMediaState,
} from './media.repository.ts'
import { exceedsCrashLimit, isLastAttempt, laneOf, longestRunMs } from './media.rules.ts'
import {
  claimStep,
  completeStep,
  countFailedAttempt,
  failStep,
  findStep,
  findWaitingStep,
  isOwnerBusy,
  releaseStep,
  renewClaim,
  type StepRow,
  type StepRun,
  updateProgress,
} from './steps.repository.ts'
import {
  enqueueFileDeletion,
  enqueueStep,
  formatStepError,
  isPermanent,
  isUnreadable,
  updateReadiness,
} from './steps.service.ts'
import { discardObjects, type RenderedObject, renderVariants } from './variants.service.ts'

/** A step that waits for another one of its owner comes back by itself: the run it waits for may die silently. */
const COMES_BACK_AFTER_SECONDS = 60
/** A reason of the machine is still there at once. */
const NEXT_AFTER_FAILURE_SECONDS = 5
const RENEW_CLAIM_EVERY_MS = 4_000
const PROGRESS_EVERY_MS = 1_000

/** Another run has claimed the step: the queue tries again later, in case that run dies. */
class StepLockedError extends Error {
  override name = 'StepLockedError'
}

/**
 * Renders and stores the variants of one step. A job delivered twice or killed halfway ends the same: one run at a time
 * claims the step, and only the run that still has it stores its objects (docs/decisions/0024-confined-tools.md). One step
 * per owner is rendered at a time in each lane; the others come back, the next of them as soon as this run ends.
 */
export async function runStep(ctx: AppContext, stepId: string): Promise<void> {
  const step = await findStep(ctx.db, stepId)
  if (step?.state !== 'processing') return
  const media = await findMedia(ctx.db, step.mediaId)
  if (!media) return
  const run = { stepId, runId: randomUUID() }
  const claimed = await claimUnlessBusy(ctx, media.ownerId, step, run)
  if (claimed === 'busy') return enqueueStep(ctx, step, COMES_BACK_AFTER_SECONDS)
  if (!claimed) throw new StepLockedError('Another run holds this step')
  let nextAfterSeconds = 0
  const claim = startRenewing(ctx, run)
  try {
    if (exceedsCrashLimit(claimed)) throw new TooMuchWork('The workers that tried died', null)
    await renderAndStore(ctx, media, { step, run, claimLost: claim.lost })
  } catch (error) {
    nextAfterSeconds = NEXT_AFTER_FAILURE_SECONDS
    // Neither a stop nor a lost claim is a failure of the step: the job goes back to the queue.
    if (ctx.stopping.aborted || error instanceof StepLockedError) throw error
    if (!(await recordFailure(ctx, step, run, error))) throw error
  } finally {
    claim.stopRenewing()
    await releaseStep(ctx.db, run).catch((error) =>
      ctx.log.warn({ err: error }, 'a step could not be released; its claim expires in a moment'),
    )
    if (!ctx.stopping.aborted) await enqueueNext(ctx, media.ownerId, step, nextAfterSeconds)
  }
}

function claimUnlessBusy(ctx: AppContext, ownerId: string | null, step: StepRow, run: StepRun) {
  return inTransaction(ctx, async (tx) => {
    const own = { ownerId, lane: laneOf(step.type), stepId: step.id }
    return (await isOwnerBusy(tx.db, own)) ? 'busy' : claimStep(tx.db, run)
  })
}

/** Renews the claim until it is stopped; `lost` aborts when another run has claimed the step. */
function startRenewing(ctx: AppContext, run: StepRun) {
  const lost = new AbortController()
  const timer = setInterval(() => {
    renewClaim(ctx.db, run).then(
      (isOurs) => isOurs || lost.abort(new StepLockedError('Another run has taken this step')),
      (error) => ctx.log.warn({ err: error }, 'the claim of a step could not be renewed'),
    )
  }, RENEW_CLAIM_EVERY_MS)
  return { lost: lost.signal, stopRenewing: () => clearInterval(timer) }
}

/** Enqueues the owner's next step of the lane now: its own job may stand anywhere in the queue. */
async function enqueueNext(
  ctx: AppContext,
  ownerId: string | null,
  { id, type }: StepRow,
  afterSeconds: number,
): Promise<void> {
  try {
    const next = await findWaitingStep(ctx.db, { ownerId, lane: laneOf(type), stepId: id })
    if (next) await enqueueStep(ctx, next, afterSeconds)
  } catch (error) {
    ctx.log.warn({ err: error }, 'the next step of an owner comes back by itself')
  }
}

async function renderAndStore(
  ctx: AppContext,
  media: MediaRow,
  { step, run, claimLost }: { step: StepRow; run: StepRun; claimLost: AbortSignal },
): Promise<void> {
  const { durationSeconds } = openFacts(openKeyForWork(ctx, media), media)
  const timeout = AbortSignal.timeout(longestRunMs(step.type, durationSeconds))
  const signal = AbortSignal.any([ctx.stopping, claimLost, timeout])
  const onProgress = progressWriter(ctx, run)
  const rendered = await renderVariants(ctx, media, step, { signal, onProgress }).catch((error) => {
    if (signal.reason === timeout.reason && timeout.aborted) {
      throw new TooMuchWork('The step took too long', null)
    }
    throw error
  })
  if (await storeVariants(ctx, step, run, rendered)) return
  await discardObjects(ctx, rendered)
  await requireFinished(ctx, step)
}

function progressWriter(ctx: AppContext, run: StepRun): (fraction: number) => void {
  let writtenAt = 0
  return (fraction) => {
    const now = Date.now()
    if (now - writtenAt < PROGRESS_EVERY_MS) return
    writtenAt = now
    // Only the end of the step writes 100.
    updateProgress(ctx.db, run, Math.min(99, Math.floor(fraction * 100))).catch((error) =>
      ctx.log.warn({ err: error }, 'the progress of a step could not be written'),
    )
  }
}

/** Names the rendered objects in rows and ends the step; false when the file or the step is gone, or another run's. */
async function storeVariants(
  ctx: AppContext,
  step: StepRow,
  run: StepRun,
  rendered: readonly RenderedObject[],
): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    const { mediaId } = step
    if (!(await lockMedia(tx.db, mediaId)) || !(await completeStep(tx.db, run))) return false
    const replaced: string[] = []
    for (const object of rendered) {
      const previous = await replaceObject(tx.db, { ...object, mediaId, createdAt: tx.now() })
      if (previous) replaced.push(previous)
    }
    await enqueueFileDeletion(tx, replaced)
    await updateReadiness(tx, mediaId)
    publishMediaSettled(tx, mediaId)
    return true
  })
}

/** Counts a failed attempt; true when the queue must not try again. */
async function recordFailure(
  ctx: AppContext,
  step: StepRow,
  run: StepRun,
  error: unknown,
): Promise<boolean> {
  // The operator mends a full disk: the queue goes on trying, further and further apart.
  if (isDiskFull(error)) return false
  return inTransaction(ctx, async (tx) => {
    if (!(await lockMedia(tx.db, step.mediaId))) return true
    const attempts = await countFailedAttempt(tx.db, run)
    if (attempts === undefined) {
      await requireFinished(tx, step)
      return true
    }
    if (!isPermanent(error) && !isLastAttempt({ attempts: attempts - 1 })) return false
    ctx.log.warn({ mediaId: step.mediaId, type: step.type, err: error }, 'a step failed for good')
    await failStep(tx.db, step.id, formatStepError(error))
    if (isUnreadable(error)) await updateMediaState(tx.db, step.mediaId, 'processing', 'failed')
    await updateReadiness(tx, step.mediaId)
    publishMediaSettled(tx, step.mediaId)
    return true
  })
}

/** Ends a run that has lost its claim: an error only while the step is still to be done. */
async function requireFinished(ctx: AppContext, { id }: StepRow): Promise<void> {
  const step = await findStep(ctx.db, id)
  if (step?.state === 'processing') throw new StepLockedError('Another run has taken this step')
}
