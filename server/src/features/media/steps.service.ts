import type { JobStatus } from '#contract/jobs.ts'
import type { JobType } from '#contract/media.ts'
import { type AppContext, inBatches, inTransaction } from '#server/context.ts'
import { AppError, fieldError, notFound } from '#server/errors.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import {
  TooManyPixels,
  TooMuchWork,
  UnreadableMedia,
} from '#server/platform/media-tools/media-errors.ts'
import { publishMediaSettled } from '#server/platform/pubsub/pubsub.ts'
import { isMediaId } from './file-names.rules.ts'
import { compressVideo, deleteMediaFiles, prepareMedia } from './media.jobs.ts'
import {
  deleteObjects,
  lockMedia,
  lockWithoutCopy,
  markCopyPlanned,
  updateMediaState,
} from './media.repository.ts'
import {
  areOver,
  clampTeaser,
  estimateSeconds,
  laneOf,
  planSteps,
  priorityOf,
  type StepState,
  type TeaserWindow,
  validateTeaser,
} from './media.rules.ts'
import {
  countProcessing,
  countStepsOf,
  deleteTeaserSteps,
  insertStep,
  listSteps,
  listStepsOf,
  resetFailedStep,
  type StepRow,
} from './steps.repository.ts'

export interface PlannedStep {
  id: string
  type: JobType
}

/** Enqueues every step of a file that has just arrived. */
export async function createSteps(
  tx: AppContext,
  media: { id: string; kind: Parameters<typeof planSteps>[0]; durationSeconds: number | null },
  teaser: TeaserWindow | undefined,
): Promise<PlannedStep[]> {
  const steps: PlannedStep[] = []
  for (const type of planSteps(media.kind, teaser !== undefined)) {
    steps.push(await createStep(tx, media, type, type === 'teaser' ? teaser : undefined))
  }
  if (media.kind === 'image') await markCopyPlanned(tx.db, media.id)
  await updateMediaState(tx.db, media.id, 'received', steps.length > 0 ? 'processing' : 'ready')
  return steps
}

/** Few enough that they are rendered before the queue gives them up. */
const COPIES_AT_ONCE = 500
const COPIES_PER_TRANSACTION = 100

/** Enqueues the copies of pictures that were sent before there were any, or to a program that knows of none. */
export async function planCopies(ctx: AppContext): Promise<void> {
  await inBatches(ctx, COPIES_PER_TRANSACTION, async (tx) => {
    const pictures = await lockWithoutCopy(tx.db, COPIES_PER_TRANSACTION)
    if (pictures.length === 0) return 0
    const waiting = await countProcessing(tx.db, 'copy')
    const planned = pictures.slice(0, Math.max(0, COPIES_AT_ONCE - waiting))
    for (const { id } of planned) {
      await createStep(tx, { id, durationSeconds: null }, 'copy')
      await markCopyPlanned(tx.db, id)
    }
    return planned.length
  })
}

async function createStep(
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

/** Enqueues a step, at once or after a while. */
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

/** The window as it fits in the video; rejects `field` when it does not. */
export function requireTeaser(
  field: string,
  window: TeaserWindow,
  durationSeconds: number | null,
): TeaserWindow {
  const length = durationSeconds ?? 0
  const problem = validateTeaser(window, length)
  if (problem) throw fieldError(field, problem)
  return clampTeaser(window, length)
}

/** Replaces the teaser, which disappears at once; the window it has already changes nothing. */
export async function replaceTeaser(
  tx: AppContext,
  mediaId: string,
  window: TeaserWindow | null,
): Promise<void> {
  const steps = await listSteps(tx.db, [mediaId])
  const teasers = steps.filter((step) => step.type === 'teaser')
  if (window ? teasers.some((step) => hasWindow(step, window)) : teasers.length === 0) return
  await deleteTeaserSteps(tx.db, mediaId)
  const storageKeys = await deleteObjects(tx.db, mediaId, ['teaser', 'thumbnail_teaser'])
  await enqueueFileDeletion(tx, storageKeys)
  if (window) {
    await createStep(tx, { id: mediaId, durationSeconds: null }, 'teaser', window)
    await updateMediaState(tx.db, mediaId, 'ready', 'processing')
  } else {
    await updateReadiness(tx, mediaId)
  }
}

/** A failed teaser has none: the same window may be wanted again. */
function hasWindow(step: StepRow, window: TeaserWindow): boolean {
  return (
    step.state !== 'failed' &&
    step.teaserStart === window.startSeconds &&
    step.teaserEnd === window.endSeconds
  )
}

/** Starts a failed step of the actor's own again; `step_not_failed` for any other state. */
export async function retryStep(ctx: AppContext, actor: Actor, stepId: string): Promise<JobStatus> {
  await ctx.disk.require()
  await inTransaction(ctx, async (tx) => {
    const [step] = await listStepsOf(tx.db, actor.userId, [stepId].filter(isMediaId))
    if (!step || !(await lockMedia(tx.db, step.mediaId))) throw notFound()
    if (!(await resetFailedStep(tx.db, step.id, tx.now()))) throw new AppError('step_not_failed')
    await updateMediaState(tx.db, step.mediaId, 'ready', 'processing')
    await updateMediaState(tx.db, step.mediaId, 'failed', 'processing')
    await enqueueStep(tx, step)
    publishMediaSettled(tx, step.mediaId)
  })
  return getStepStatus(ctx, actor, stepId)
}

/** Makes a file ready once none of its steps is left to do. */
export async function updateReadiness(tx: AppContext, mediaId: string): Promise<void> {
  if (areOver(await listSteps(tx.db, [mediaId]))) {
    await updateMediaState(tx.db, mediaId, 'processing', 'ready')
  }
}

/** Deletes stored bytes once this transaction has committed. */
export async function enqueueFileDeletion(
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

/** Statuses of the actor's own steps; other ids are left out. */
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

/** Whether the bytes themselves are at fault: the file is then of no use. */
export function isUnreadable(error: unknown): boolean {
  return error instanceof UnreadableMedia || error instanceof TooManyPixels
}

/** Whether another attempt would fail too: only the author may start the step again. */
export function isPermanent(error: unknown): boolean {
  return isUnreadable(error) || error instanceof TooMuchWork
}

/** The sentence that the author reads beside a failed step. */
export function formatStepError(error?: unknown): string {
  if (isUnreadable(error)) return 'Ce fichier est abîmé ou illisible'
  if (error instanceof TooMuchWork) return 'Préparer ce fichier demande trop de travail'
  return 'Cette préparation n’a pas abouti'
}
