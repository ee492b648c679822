import { randomUUID } from 'node:crypto'
import { type AppContext, inTransaction } from '#server/context.ts'
import { publishMediaSettled } from '#server/platform/events/events.ts'
import { TooMuchWork } from '#server/platform/media-tools/media-errors.ts'
import { isDiskFull } from '#server/platform/storage/storage.ts'
import {
  findMedia,
  lockMedia,
  type MediaRow,
  moveMedia,
  replaceObject,
} from './media.repository.ts'
import { diesTooOften, isLastTry, laneOf, longestRunMs } from './media.rules.ts'
import { openFacts, openKeyForWork } from './media-keys.service.ts'
import {
  claimStep,
  completeStep,
  countFailure,
  findWaitingStep,
  holdStep,
  isOwnerBusy,
  releaseStep,
  type StepRun,
  writeProgress,
} from './media-step-claims.repository.ts'
import { isForGood, isUnreadable, sentenceOf } from './media-step-failures.service.ts'
import { failStep, findStep, type StepRow } from './media-steps.repository.ts'
import { deleteFilesLater, enqueueStep, settle } from './media-steps.service.ts'
import { discardObjects, type MadeObject, makeVariants } from './media-variants.service.ts'

/** Whoever makes another step of the owner may die without a word: this one comes back without being called. */
const COMES_BACK_AFTER_SECONDS = 60
/** What failed for a reason of the machine fails again at once. */
const AFTER_FAILURE_SECONDS = 5
const HOLD_EVERY_MS = 4_000
const PROGRESS_EVERY_MS = 1_000

/** Another run holds the step: the queue asks again later, in case that one dies. */
class StepHeld extends Error {
  override name = 'StepHeld'
}

/**
 * Makes the variants of one step. Delivered twice, or cut in the middle, it ends the same: one run at a time holds the
 * step, and only the run that holds it when all is made puts its objects in their place. Of one owner one step is made at a
 * time in each lane, so that nobody’s files take all the places: the others come back, the next of them as this one ends.
 */
export async function runStep(ctx: AppContext, stepId: string): Promise<void> {
  const step = await findStep(ctx.db, stepId)
  if (step?.state !== 'processing') return
  const media = await findMedia(ctx.db, step.mediaId)
  if (!media) return
  const run = { stepId, runId: randomUUID() }
  const claimed = await claim(ctx, media.ownerId, step, run)
  if (claimed === 'waits') return enqueueStep(ctx, step, COMES_BACK_AFTER_SECONDS)
  if (!claimed) throw new StepHeld('Another run holds this step')
  let nextAfterSeconds = 0
  const holding = startHolding(ctx, run)
  try {
    if (diesTooOften(claimed)) throw new TooMuchWork('The workers that tried died', null)
    await makeAndKeep(ctx, media, { step, run, held: holding.signal })
  } catch (error) {
    nextAfterSeconds = AFTER_FAILURE_SECONDS
    // A stop is nobody's failure, and neither is a step that was taken over: the job goes back to the queue.
    if (ctx.stopping.aborted || error instanceof StepHeld) throw error
    if (!(await recordFailure(ctx, step, run, error))) throw error
  } finally {
    holding.end()
    await releaseStep(ctx.db, run).catch((error) =>
      ctx.log.warn({ err: error }, 'a step could not be handed back; it is free in a moment'),
    )
    if (!ctx.stopping.aborted) await enqueueNext(ctx, media.ownerId, step, nextAfterSeconds)
  }
}

/** Takes the step, unless its owner has another one made. */
function claim(ctx: AppContext, ownerId: string, step: StepRow, run: StepRun) {
  return inTransaction(ctx, async (tx) => {
    const busy = { ownerId, lane: laneOf(step.type), stepId: step.id }
    return (await isOwnerBusy(tx.db, busy)) ? 'waits' : claimStep(tx.db, run)
  })
}

/** Its job may be anywhere in the queue, or wait to come back: it has its turn now, behind what is as urgent. */
async function enqueueNext(
  ctx: AppContext,
  ownerId: string,
  { id, type }: StepRow,
  afterSeconds: number,
): Promise<void> {
  try {
    // What failed comes back by its own job, further and further apart.
    const wanted = { ownerId, lane: laneOf(type), stepId: id }
    const next = await findWaitingStep(ctx.db, wanted)
    if (next) await enqueueStep(ctx, next, afterSeconds)
  } catch (error) {
    ctx.log.warn({ err: error }, 'the next step of an owner comes back by itself')
  }
}

async function makeAndKeep(
  ctx: AppContext,
  media: MediaRow,
  { step, run, held }: { step: StepRow; run: StepRun; held: AbortSignal },
): Promise<void> {
  const { durationSeconds } = openFacts(openKeyForWork(ctx, media), media)
  const longest = AbortSignal.timeout(longestRunMs(step.type, durationSeconds))
  const signal = AbortSignal.any([ctx.stopping, held, longest])
  const onProgress = progressWriter(ctx, run)
  const made = await makeVariants(ctx, media, step, { signal, onProgress }).catch((error) => {
    if (signal.reason === longest.reason && longest.aborted) {
      throw new TooMuchWork('The step took too long', null)
    }
    throw error
  })
  if (await keepVariants(ctx, step, run, made)) return
  await discardObjects(ctx, made)
  await leave(ctx, step)
}

/** Ends a run whose step is no longer its own: well when there is nothing left to do. */
async function leave(ctx: AppContext, { id }: StepRow): Promise<void> {
  const step = await findStep(ctx.db, id)
  if (step?.state === 'processing') throw new StepHeld('Another run has taken this step')
}

/** Tells again and again that this run lives; its signal says that the step is no longer its own. */
function startHolding(ctx: AppContext, run: StepRun) {
  const lost = new AbortController()
  const timer = setInterval(() => {
    holdStep(ctx.db, run).then(
      (isOurs) => isOurs || lost.abort(new StepHeld('Another run has taken this step')),
      (error) => ctx.log.warn({ err: error }, 'a step could not be held'),
    )
  }, HOLD_EVERY_MS)
  return { signal: lost.signal, end: () => clearInterval(timer) }
}

function progressWriter(ctx: AppContext, run: StepRun): (fraction: number) => void {
  let writtenAt = 0
  return (fraction) => {
    const now = Date.now()
    if (now - writtenAt < PROGRESS_EVERY_MS) return
    writtenAt = now
    // 100 is said by the end of the step alone.
    writeProgress(ctx.db, run, Math.min(99, Math.floor(fraction * 100))).catch((error) =>
      ctx.log.warn({ err: error }, 'the progress of a step could not be told'),
    )
  }
}

/** Puts what was made in its place; false when the file or the step has gone meanwhile, or is another run's. */
async function keepVariants(
  ctx: AppContext,
  step: StepRow,
  run: StepRun,
  made: readonly MadeObject[],
): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    const { mediaId } = step
    if (!(await lockMedia(tx.db, mediaId)) || !(await completeStep(tx.db, run))) return false
    const replaced: string[] = []
    for (const object of made) {
      const previous = await replaceObject(tx.db, { ...object, mediaId, createdAt: tx.now() })
      if (previous) replaced.push(previous)
    }
    await deleteFilesLater(tx, replaced)
    await settle(tx, mediaId)
    publishMediaSettled(tx, mediaId)
    return true
  })
}

/** Counts a failed try; true when nobody is to try again by himself. */
async function recordFailure(
  ctx: AppContext,
  step: StepRow,
  run: StepRun,
  error: unknown,
): Promise<boolean> {
  // A full disk is the operator's to mend: the queue goes on trying, further and further apart.
  if (isDiskFull(error)) return false
  return inTransaction(ctx, async (tx) => {
    if (!(await lockMedia(tx.db, step.mediaId))) return true
    const tries = await countFailure(tx.db, run)
    if (tries === undefined) {
      await leave(tx, step)
      return true
    }
    if (!isForGood(error) && !isLastTry({ attempts: tries - 1 })) return false
    ctx.log.warn({ mediaId: step.mediaId, type: step.type, err: error }, 'a step failed for good')
    await failStep(tx.db, step.id, sentenceOf(error))
    if (isUnreadable(error)) await moveMedia(tx.db, step.mediaId, 'processing', 'failed')
    await settle(tx, step.mediaId)
    publishMediaSettled(tx, step.mediaId)
    return true
  })
}
