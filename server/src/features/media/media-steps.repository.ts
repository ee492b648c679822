import { type Selectable, sql } from 'kysely'
import type { JobType } from '#contract/media.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { MediaSteps } from '#server/platform/database/tables.ts'
import type { StepState, TeaserWindow } from './media.rules.ts'

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
  if (mediaIds.length === 0) return []
  const rows = await db
    .selectFrom('mediaSteps')
    .selectAll()
    .where('mediaId', 'in', mediaIds)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
  return rows as StepRow[]
}

/** Steps of one person's files; those of anybody else are as if they were not. */
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

/** Asks for a failed step once more, as if it had never been tried; false when it has not failed. */
export async function askStepAgain(db: Db, id: string, askedAt: Date): Promise<boolean> {
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
