import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { type EnvelopeRow, selectEnvelopes } from './revelations.repository.ts'

export async function findEnvelopes(db: Db, ids: readonly string[]): Promise<EnvelopeRow[]> {
  if (ids.length === 0) return []
  return selectEnvelopes(db)
    .where('revelations.id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
}

/** A revelation and whose it is. */
export interface Belonging {
  id: string
  authorId: string
}

export async function findByMedia(db: Db, mediaIds: readonly string[]): Promise<Belonging[]> {
  if (mediaIds.length === 0) return []
  return db
    .selectFrom('revelations')
    .select(['id', 'authorId'])
    .where('mediaId', 'in', mediaIds)
    .execute()
}

/** What was revealed after `since`, until `until` and with it. */
export async function listRevealedWithin(
  db: Db,
  { since, until }: { since: Date; until: Date },
): Promise<Belonging[]> {
  return db
    .selectFrom('revelations')
    .select(['id', 'authorId'])
    .where('revealAt', '>', since)
    .where('revealAt', '<=', until)
    .execute()
}
