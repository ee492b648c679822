import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import type { StepLane } from './media.rules.ts'
import type { StepRow } from './media-steps.repository.ts'

/** One try of one step. What it does to the step counts only as long as the step is its own. */
export interface StepRun {
  stepId: string
  runId: string
}

/** A worker that is silent for so long is taken for dead: less than the queue waits before it gives the job to another. */
const HELD_FOR = sql.lit('12 seconds')
/** Of the database, the one clock all workers share. */
const heldUntil = sql<Date>`clock_timestamp() + interval ${HELD_FOR}`
const isFree = sql<boolean>`(claimed_by is null or claimed_until < clock_timestamp())`

/**
 * Whether a living run makes another step of this owner in the lane. Until the transaction ends nobody else is told about
 * this owner: of two who ask at once, one finds what the other has claimed.
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

/** Another step of the owner in the lane that nobody makes: the shortest, then the one that was asked for first. */
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

interface OwnedStep {
  ownerId: string
  lane: StepLane
  stepId: string
}

function selectOthers(db: Db, { ownerId, lane, stepId }: OwnedStep) {
  return db
    .selectFrom('mediaSteps')
    .innerJoin('media', 'media.id', 'mediaSteps.mediaId')
    .where('media.ownerId', '=', ownerId)
    .where('mediaSteps.id', '<>', stepId)
    .where('mediaSteps.state', '=', 'processing')
    .where('mediaSteps.type', lane === 'compress' ? '=' : '<>', 'mobile')
}

/** Takes a step that no living run holds; a run found dead is counted. The answer is how many were, undefined when held. */
export async function claimStep(
  db: Db,
  { stepId, runId }: StepRun,
): Promise<{ lostRuns: number } | undefined> {
  return db
    .updateTable('mediaSteps')
    .set({
      claimedBy: runId,
      claimedUntil: heldUntil,
      lostRuns: sql<number>`lost_runs + case when claimed_by is null then 0 else 1 end`,
      progress: 1,
    })
    .where('id', '=', stepId)
    .where('state', '=', 'processing')
    .where(isFree)
    .returning('lostRuns')
    .executeTakeFirst()
}

/** A sign of life; false when the step is no longer this run's. */
export async function holdStep(db: Db, run: StepRun): Promise<boolean> {
  const { numUpdatedRows } = await ofRun(db, run)
    .set({ claimedUntil: heldUntil })
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Hands a step back, for whoever comes next. */
export async function releaseStep(db: Db, run: StepRun): Promise<void> {
  await ofRun(db, run).set({ claimedBy: null, claimedUntil: null }).execute()
}

/** Never goes back. */
export async function writeProgress(db: Db, run: StepRun, percent: number): Promise<void> {
  await ofRun(db, run).set({ progress: percent }).where('progress', '<', percent).execute()
}

/** Ends a step well; false when it is no longer this run's, whose work is then for nothing. */
export async function completeStep(db: Db, run: StepRun): Promise<boolean> {
  const { numUpdatedRows } = await ofRun(db, run)
    .set({
      state: 'completed',
      progress: 100,
      error: null,
      claimedBy: null,
      claimedUntil: null,
    })
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Counts one more failed try, hands the step back and gives the number of tries; undefined when it is not this run's. */
export async function countFailure(db: Db, run: StepRun): Promise<number | undefined> {
  const row = await ofRun(db, run)
    .set((eb) => ({ attempts: eb('attempts', '+', 1), claimedBy: null, claimedUntil: null }))
    .returning('attempts')
    .executeTakeFirst()
  return row?.attempts
}

function ofRun(db: Db, { stepId, runId }: StepRun) {
  return db
    .updateTable('mediaSteps')
    .where('id', '=', stepId)
    .where('claimedBy', '=', runId)
    .where('state', '=', 'processing')
}
