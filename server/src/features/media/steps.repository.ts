import { type Selectable, sql } from 'kysely'
import type { JobType } from '#contract/media.ts'
import { createStatement, type Db, PREPARED_READ } from '#server/platform/database/db.ts'
import type { MediaSteps } from '#server/platform/database/tables.ts'
import type { StepLane, StepState, TeaserWindow } from './media.rules.ts'

export type StepRow = Omit<Selectable<MediaSteps>, 'type' | 'state'> & {
  type: JobType
  state: StepState
}

export async function insertStep(
  db: Db,
  step: {
    mediaId: string
    type: JobType
    workSeconds: number
    window?: TeaserWindow | undefined
    createdAt: Date
  },
): Promise<string> {
  const { mediaId, type, workSeconds, window, createdAt } = step
  const row = await db
    .insertInto('mediaSteps')
    .values({
      mediaId,
      type,
      state: 'processing',
      teaserStart: window?.startSeconds ?? null,
      teaserEnd: window?.endSeconds ?? null,
      workSeconds,
      createdAt,
      askedAt: createdAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

export async function findStep(db: Db, id: string): Promise<StepRow | undefined> {
  const row = await db.selectFrom('mediaSteps').selectAll().where('id', '=', id).executeTakeFirst()
  return row as StepRow | undefined
}

export async function listSteps(db: Db, mediaIds: readonly string[]): Promise<StepRow[]> {
  return mediaIds.length === 0 ? [] : selectSteps(db, { mediaIds })
}

const selectSteps = createStatement((db, { mediaIds }: { mediaIds: readonly string[] }) =>
  db
    .selectFrom('mediaSteps')
    .selectAll()
    .where('mediaId', '=', sql<string>`any(${mediaIds}::uuid[])`)
    .orderBy('createdAt')
    .orderBy('id')
    .modifyEnd(PREPARED_READ)
    .$castTo<StepRow>(),
)

/** Steps of one person's files; steps of other people are left out, as missing ones are. */
export async function listStepsOf(
  db: Db,
  ownerId: string,
  ids: readonly string[],
): Promise<StepRow[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('mediaSteps')
    .innerJoin('media', 'media.id', 'mediaSteps.mediaId')
    .selectAll('mediaSteps')
    .where('media.ownerId', '=', ownerId)
    .where('mediaSteps.id', 'in', ids)
    .execute()
  return rows as StepRow[]
}

export async function countStepsOf(db: Db, ownerId: string): Promise<Record<StepState, number>> {
  const count = (state: StepState) =>
    sql<number>`count(*) filter (where media_steps.state = ${state})`.as(state)
  return db
    .selectFrom('mediaSteps')
    .innerJoin('media', 'media.id', 'mediaSteps.mediaId')
    .select([count('processing'), count('completed'), count('failed')])
    .where('media.ownerId', '=', ownerId)
    .executeTakeFirstOrThrow()
}

/** How many steps of a type are still to be done, of everybody’s. */
export async function countProcessing(db: Db, type: JobType): Promise<number> {
  const { count } = await db
    .selectFrom('mediaSteps')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('state', '=', 'processing')
    .where('type', '=', type)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function listAbandonedSteps(db: Db, before: Date, limit: number): Promise<StepRow[]> {
  const rows = await db
    .selectFrom('mediaSteps')
    .selectAll()
    .where('state', '=', 'processing')
    .where('askedAt', '<', before)
    .limit(limit)
    .execute()
  return rows as StepRow[]
}

/** Puts a failed step back to its beginning; false when it has not failed. */
export async function resetFailedStep(db: Db, id: string, askedAt: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('mediaSteps')
    .set({ state: 'processing', progress: 0, attempts: 0, lostRuns: 0, error: null, askedAt })
    .where('id', '=', id)
    .where('state', '=', 'failed')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function failStep(db: Db, id: string, error: string): Promise<void> {
  await db
    .updateTable('mediaSteps')
    .set({ state: 'failed', error, claimedBy: null, claimedUntil: null })
    .where('id', '=', id)
    .where('state', '=', 'processing')
    .execute()
}

export async function deleteTeaserSteps(db: Db, mediaId: string): Promise<void> {
  await db
    .deleteFrom('mediaSteps')
    .where('mediaId', '=', mediaId)
    .where('type', '=', 'teaser')
    .execute()
}

/** One run of one step. Its changes to the step count only while the step is claimed by it. */
export interface StepRun {
  stepId: string
  runId: string
}

/** A run silent for this long counts as dead: less than the queue waits before it delivers the job again. */
const CLAIM_DURATION = sql.lit('12 seconds')
/** By the clock of the database, which all workers share. */
const claimEnd = sql<Date>`clock_timestamp() + interval ${CLAIM_DURATION}`
const isFree = sql<boolean>`(claimed_by is null or claimed_until < clock_timestamp())`

interface OwnedStep {
  /** What came by personal links is nobody’s, and shares a lane. */
  ownerId: string | null
  lane: StepLane
  stepId: string
}

/**
 * Whether a living run has claimed another step of this owner in the lane. The lock lasts to the end of the transaction,
 * so that of two workers at once the second finds the claim of the first.
 */
export async function isOwnerBusy(db: Db, step: OwnedStep): Promise<boolean> {
  const name = `media steps of ${step.ownerId}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(db)
  const row = await selectOthers(db, step)
    .select('mediaSteps.id')
    .where('claimedUntil', '>', sql<Date>`clock_timestamp()`)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Another unclaimed step of the owner in the lane: the shortest, then the oldest. */
export async function findWaitingStep(db: Db, step: OwnedStep): Promise<StepRow | undefined> {
  const row = await selectOthers(db, step)
    .selectAll('mediaSteps')
    .where(isFree)
    .orderBy('workSeconds')
    .orderBy('askedAt')
    .limit(1)
    .executeTakeFirst()
  return row as StepRow | undefined
}

function selectOthers(db: Db, { ownerId, lane, stepId }: OwnedStep) {
  return db
    .selectFrom('mediaSteps')
    .innerJoin('media', 'media.id', 'mediaSteps.mediaId')
    .where((where) =>
      ownerId === null ? where('media.ownerId', 'is', null) : where('media.ownerId', '=', ownerId),
    )
    .where('mediaSteps.id', '<>', stepId)
    .where('mediaSteps.state', '=', 'processing')
    .where('mediaSteps.type', lane === 'compress' ? '=' : '<>', 'mobile')
}

/** Claims a step that no living run has; undefined when one has. A claim found expired counts as a lost run. */
export async function claimStep(
  db: Db,
  { stepId, runId }: StepRun,
): Promise<{ lostRuns: number } | undefined> {
  return db
    .updateTable('mediaSteps')
    .set({
      claimedBy: runId,
      claimedUntil: claimEnd,
      lostRuns: sql<number>`lost_runs + case when claimed_by is null then 0 else 1 end`,
      progress: 1,
    })
    .where('id', '=', stepId)
    .where('state', '=', 'processing')
    .where(isFree)
    .returning('lostRuns')
    .executeTakeFirst()
}

/** False when the step is no longer this run's. */
export async function renewClaim(db: Db, run: StepRun): Promise<boolean> {
  const { numUpdatedRows } = await updateOwn(db, run)
    .set({ claimedUntil: claimEnd })
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function releaseStep(db: Db, run: StepRun): Promise<void> {
  await updateOwn(db, run).set({ claimedBy: null, claimedUntil: null }).execute()
}

/** Progress never goes back. */
export async function updateProgress(db: Db, run: StepRun, percent: number): Promise<void> {
  await updateOwn(db, run).set({ progress: percent }).where('progress', '<', percent).execute()
}

/** Ends a step well; false when it is no longer this run's, whose objects must then be discarded. */
export async function completeStep(db: Db, run: StepRun): Promise<boolean> {
  const { numUpdatedRows } = await updateOwn(db, run)
    .set({ state: 'completed', progress: 100, error: null, claimedBy: null, claimedUntil: null })
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Counts a failed attempt and releases the step: how many attempts failed, or undefined when it is not this run's. */
export async function countFailedAttempt(db: Db, run: StepRun): Promise<number | undefined> {
  const row = await updateOwn(db, run)
    .set((eb) => ({ attempts: eb('attempts', '+', 1), claimedBy: null, claimedUntil: null }))
    .returning('attempts')
    .executeTakeFirst()
  return row?.attempts
}

function updateOwn(db: Db, { stepId, runId }: StepRun) {
  return db
    .updateTable('mediaSteps')
    .where('id', '=', stepId)
    .where('claimedBy', '=', runId)
    .where('state', '=', 'processing')
}
