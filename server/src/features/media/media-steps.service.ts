import type { JobStatus } from '#contract/jobs.ts'
import type { JobType } from '#contract/media.ts'
import { type AppContext, inTransaction } from '#server/context.ts'
import { AppError, fieldError, notFound } from '#server/errors.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { publishMediaSettled } from '#server/platform/events/events.ts'
import { compressVideo, deleteMediaFiles, prepareMedia } from './media.jobs.ts'
import { deleteObjects, lockMedia, moveMedia } from './media.repository.ts'
import {
  areOver,
  clampWindow,
  estimateSeconds,
  laneOf,
  planSteps,
  priorityOf,
  refuseWindow,
  type StepState,
  type TeaserWindow,
} from './media.rules.ts'
import { isMediaId } from './media-names.rules.ts'
import {
  askStepAgain,
  countStepsOf,
  deleteTeaserSteps,
  insertStep,
  listSteps,
  listStepsOf,
  type StepRow,
} from './media-steps.repository.ts'

export interface PlannedStep {
  id: string
  type: JobType
}

/** Queues one step; a step and its job commit together. */
async function addStep(
  tx: AppContext,
  media: { id: string; durationSeconds: number | null },
  type: JobType,
  window?: TeaserWindow,
): Promise<PlannedStep> {
  const workSeconds = estimateSeconds(type, media.durationSeconds)
  const step = { mediaId: media.id, type, workSeconds, window, createdAt: tx.now() }
  const id = await insertStep(tx.db, step)
  await enqueueStep(tx, { id, type, workSeconds })
  return { id, type }
}

/** Queues a step, at once or after a while. */
export async function enqueueStep(
  ctx: AppContext,
  { id, type, workSeconds }: Pick<StepRow, 'id' | 'type' | 'workSeconds'>,
  afterSeconds = 0,
): Promise<void> {
  const job = laneOf(type) === 'compress' ? compressVideo : prepareMedia
  const priority = priorityOf(type, workSeconds)
  const later = afterSeconds > 0 ? { startAfter: afterSeconds } : {}
  await ctx.jobs.enqueue(job, { stepId: id }, { priority, ...later })
}

/** Queues all that is to be made from a file that has just arrived. */
export async function startSteps(
  tx: AppContext,
  media: { id: string; kind: Parameters<typeof planSteps>[0]; durationSeconds: number | null },
  teaser: TeaserWindow | undefined,
): Promise<PlannedStep[]> {
  const steps: PlannedStep[] = []
  for (const type of planSteps(media.kind, teaser !== undefined)) {
    steps.push(await addStep(tx, media, type, type === 'teaser' ? teaser : undefined))
  }
  await moveMedia(tx.db, media.id, 'received', steps.length > 0 ? 'processing' : 'ready')
  return steps
}

/** A window that fits in the video; otherwise a refusal of `field`. */
export function fitWindow(
  field: string,
  window: TeaserWindow,
  durationSeconds: number | null,
): TeaserWindow {
  const length = durationSeconds ?? 0
  const refusal = refuseWindow(window, length)
  if (refusal) throw fieldError(field, refusal)
  return clampWindow(window, length)
}

/** Replaces the teaser, which disappears at once; nothing happens when this window is the one asked for already. */
export async function setTeaser(
  tx: AppContext,
  mediaId: string,
  window: TeaserWindow | null,
): Promise<void> {
  const steps = await listSteps(tx.db, [mediaId])
  const teasers = steps.filter((step) => step.type === 'teaser')
  if (window ? teasers.some((step) => isOf(step, window)) : teasers.length === 0) return
  await deleteTeaserSteps(tx.db, mediaId)
  await deleteFilesLater(tx, await deleteObjects(tx.db, mediaId, ['teaser', 'thumbnail_teaser']))
  if (window) {
    await addStep(tx, { id: mediaId, durationSeconds: null }, 'teaser', window)
    await moveMedia(tx.db, mediaId, 'ready', 'processing')
  } else {
    await settle(tx, mediaId)
  }
}

/** A failed teaser may be asked for again. */
function isOf(step: StepRow, window: TeaserWindow): boolean {
  return (
    step.state !== 'failed' &&
    step.teaserStart === window.startSeconds &&
    step.teaserEnd === window.endSeconds
  )
}

/** Asks once more for what failed, at the wish of its author; `step_not_failed` when there is nothing to try again. */
export async function retryStep(ctx: AppContext, actor: Actor, stepId: string): Promise<JobStatus> {
  await ctx.disk.require()
  await inTransaction(ctx, async (tx) => {
    const [step] = await listStepsOf(tx.db, actor.userId, [stepId].filter(isMediaId))
    if (!step || !(await lockMedia(tx.db, step.mediaId))) throw notFound()
    if (!(await askStepAgain(tx.db, step.id, tx.now()))) throw new AppError('step_not_failed')
    await moveMedia(tx.db, step.mediaId, 'ready', 'processing')
    await moveMedia(tx.db, step.mediaId, 'failed', 'processing')
    await enqueueStep(tx, step)
    publishMediaSettled(tx, step.mediaId)
  })
  return getStepStatus(ctx, actor, stepId)
}

/** Makes a file ready once no step is left. */
export async function settle(tx: AppContext, mediaId: string): Promise<void> {
  if (areOver(await listSteps(tx.db, [mediaId]))) {
    await moveMedia(tx.db, mediaId, 'processing', 'ready')
  }
}

/** Deletes stored bytes once this transaction has committed. */
export async function deleteFilesLater(
  tx: AppContext,
  storageKeys: readonly string[],
): Promise<void> {
  if (storageKeys.length === 0) return
  await tx.jobs.enqueue(deleteMediaFiles, { storageKeys: [...storageKeys] })
}

export async function getStepStatus(
  ctx: AppContext,
  actor: Actor,
  stepId: string,
): Promise<JobStatus> {
  const [status] = await listStepStatuses(ctx, actor, [stepId])
  if (!status) throw notFound()
  return status
}

/** Those of the actor's own; anything else is left out. */
export async function listStepStatuses(
  ctx: AppContext,
  actor: Actor,
  stepIds: readonly string[],
): Promise<JobStatus[]> {
  const steps = await listStepsOf(ctx.db, actor.userId, stepIds.filter(isMediaId))
  return steps.map(({ id, state, progress, error }) => ({
    jobId: id,
    status: state,
    progress,
    error,
  }))
}

export async function countStepStatuses(
  ctx: AppContext,
  actor: Actor,
): Promise<Record<StepState, number>> {
  return countStepsOf(ctx.db, actor.userId)
}
