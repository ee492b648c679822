import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { selectEnvelopes } from '#server/features/access/envelopes.repository.ts'
import type { EnvelopeRow } from '#server/features/access/envelopes.rules.ts'
import { type Db, PREPARED } from '#server/platform/database/db.ts'
import { audiencesOf, firstRows, isListed, listMismarked } from './lists.repository.ts'
import { type ListFilter, statusOf } from './lists.rules.ts'
import { byBitmaps, EXAMINED, isFrequent, SAMPLED } from './search.repository.ts'

type Version = Pick<EnvelopeRow, 'id' | 'commitment' | 'revealAt'>

/** Revealed letters that may hold the searched pieces, the newest first; the caller opens them to be sure. */
export async function listLetterCandidates(
  db: Db,
  filter: ListFilter,
  grams: readonly number[],
  limit: number,
): Promise<Version[]> {
  const readable: ListFilter = { ...filter, status: 'revealed' }
  if (statusOf(filter) === 'pending') return []
  const hasGrams = sql<SqlBool>`grams @> ${grams}::integer[]`
  const mismarked = await listMismarked(db, readable, 'newest')
  const newest = (rows: number) =>
    withLetters(
      firstRows(readable, { sort: 'newest', after: undefined, limit: rows }, mismarked),
      hasGrams,
    )
  // Pieces of many letters are found among the newest; an index would read all of them.
  if (await isFrequent(db, newest(SAMPLED))) {
    const frequent = await versionsOf(db, newest(EXAMINED), limit)
    if (frequent.length === limit) return frequent
  }
  // One statement, whatever it finds: letters that are not for this viewer must not even cost time.
  const found = sql<object>`with found as materialized (
    select revelation_id from letter_grams
    where audience && ${audiencesOf(readable)}::text[] and ${hasGrams}
  ) select revelations.* from found join revelations on id = revelation_id
    where ${isListed(readable)}`
  return byBitmaps(db, () => versionsOf(db, found, limit))
}

/**
 * Those of these rows whose letter has the pieces. Each letter is looked up by its row, never the other way round: a plan
 * that starts from the pieces would read private letters of others.
 */
function withLetters(rows: RawBuilder<object>, hasGrams: RawBuilder<SqlBool>): RawBuilder<object> {
  return sql`select listed.* from (${rows}) as listed
    where (select ${hasGrams} from letter_grams where revelation_id = listed.id)`
}

async function versionsOf(db: Db, rows: RawBuilder<object>, limit: number): Promise<Version[]> {
  const { rows: versions } = await sql<Version>`
    select id, commitment, reveal_at from (${rows}) as listed
    order by created_at desc, id desc limit ${sql.lit(limit)}`.execute(db)
  return versions
}

/** The viewer's own letters that no index may hold yet, because they are sealed. */
export async function listOwnUnindexed(
  db: Db,
  userId: string,
  limit: number,
): Promise<EnvelopeRow[]> {
  return selectEnvelopes(db)
    .where('revelations.authorId', '=', userId)
    .where('revelations.searchable', '=', false)
    .orderBy('revelations.createdAt', 'desc')
    .limit(sql.lit(limit))
    .modifyEnd(PREPARED)
    .execute()
}

/** Revealed letters that cannot be searched yet. */
export async function listRevealedUnindexed(db: Db, now: Date, limit: number): Promise<Version[]> {
  return db
    .selectFrom('revelations')
    .select(['id', 'commitment', 'revealAt'])
    .where('searchable', '=', false)
    .where('revealAt', '<=', now)
    .orderBy('revealAt')
    .limit(limit)
    .execute()
}

export async function saveGrams(db: Db, revelationId: string, grams: number[]): Promise<void> {
  await db
    .insertInto('letterGrams')
    .values({ revelationId, grams })
    .onConflict((conflict) => conflict.column('revelationId').doUpdateSet({ grams }))
    .execute()
  await db
    .updateTable('revelations')
    .set({ searchable: true })
    .where('id', '=', revelationId)
    .execute()
}
