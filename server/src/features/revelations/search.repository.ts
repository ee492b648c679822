import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { selectEnvelopes } from '#server/features/access/envelopes.repository.ts'
import type { EnvelopeRow } from '#server/features/access/envelopes.rules.ts'
import { type Db, literalPattern, PREPARED } from '#server/platform/database/db.ts'
import {
  allOf,
  anyOf,
  audiencesOf,
  firstRows,
  isListed,
  isListedBy,
  listMismarked,
  preparedPage,
  selectPage,
} from './lists.repository.ts'
import { type ListFilter, type ListPage, statusOf } from './lists.rules.ts'

/** The phrase, and what contains it besides titles. */
export interface Search {
  text: string
  /** Undefined when pseudos are examined one by one. */
  authorIds: string[] | undefined
  letterIds: string[]
}

/** Rows examined one by one, first of the list first, before an index is used. */
const EXAMINED = 2_000

/** Rows by which a phrase counts as frequent, and how many of them must contain it. */
const SAMPLED = 400
const FREQUENT = 24
/** Rows in which a frequent phrase is counted up to the most that is counted. */
const COUNTED_IN = 25_000

/** A subquery: a plan for any text would build the pattern anew for each row. */
function patternOf(text: string) {
  return sql<string>`(select '%' || ${literalPattern(text)} || '%')`
}

/** Whether a row that the viewer may know of contains the phrase. */
function hasPhrase({ text, authorIds, letterIds }: Search): RawBuilder<SqlBool> {
  const pattern = patternOf(text)
  return anyOf([
    sql`title_form like ${pattern}`,
    authorIds
      ? sql`author_id = any(${authorIds}::uuid[])`
      : sql`(select pseudo_form from users where users.id = author_id) like ${pattern}`,
    sql`id = any(${letterIds}::uuid[])`,
  ])
}

/**
 * The same of any row, for an index: it answers rows of this list and nothing else, so that private letters of others
 * cost no time.
 */
function isFound(filter: ListFilter, { text, authorIds = [], letterIds }: Search) {
  return allOf([
    anyOf([
      sql`(audience_of(author_id, visibility) && ${audiencesOf(filter)}::text[]
        and title_form like ${patternOf(text)})`,
      ...(authorIds.length > 0 ? [isListedBy(filter, authorIds)] : []),
      sql`id = any(${letterIds}::uuid[])`,
    ]),
    isListed(filter),
  ])
}

/**
 * Does `work`, one statement after the other, while PostgreSQL plans with bitmaps of indexes alone. It cannot
 * estimate how many rows have a phrase, and a plan that expects one early reads everything when it is rare. A prepared plan stays
 * as it was made: no statement may be used both here and elsewhere.
 */
export async function byBitmaps<T>(tx: Db, work: () => Promise<T>): Promise<T> {
  await setOtherPlans(tx, 'off')
  const result = await work()
  await setOtherPlans(tx, 'on')
  return result
}

async function setOtherPlans(tx: Db, be: 'on' | 'off'): Promise<void> {
  await sql`select set_config(name, ${be}, true)
    from unnest(array['enable_seqscan', 'enable_indexscan', 'enable_indexonlyscan']) as name ${PREPARED}`.execute(
    tx,
  )
}

export async function listAuthorsNamed(db: Db, text: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from users where pseudo_form like ${patternOf(text)} ${PREPARED}`.execute(db)
  return rows.map(({ id }) => id)
}

/** A process names so many statements: those of a search that nothing narrows are worth it. */
function planned(
  { scope, status, category, kind, authorId, outcome }: ListFilter,
  mark: RawBuilder<unknown> = PREPARED,
): RawBuilder<unknown> {
  const isWhole = scope === 'all' && status === 'all'
  const isNarrowed = !isWhole || [category, kind, authorId, outcome].some(Boolean)
  return isNarrowed ? sql`` : mark
}

function plannedPage(filter: ListFilter, page: ListPage): RawBuilder<unknown> {
  return page.sort === 'newest' ? planned(filter, preparedPage(page)) : sql``
}

/** Whether a phrase is frequent: in enough of these few rows. */
async function isFrequent(db: Db, filter: ListFilter, rows: RawBuilder<object>): Promise<boolean> {
  const { rows: matching } = await sql`
    select from (${rows}) as matching limit ${sql.lit(FREQUENT)} ${planned(filter)}`.execute(db)
  return matching.length === FREQUENT
}

/**
 * Up to `limit` rows with a frequent phrase, among the newest rows of the list; undefined for a rarer
 * one, which an index finds.
 */
export async function sampleFrequent(
  db: Db,
  filter: ListFilter,
  search: Search,
  limit: number,
): Promise<{ isRevealed: boolean }[] | undefined> {
  const mismarked = await listMismarked(db, filter, 'newest')
  const withPhrase = (examined: Search, rows: number) =>
    sql<object>`select listed.* from (${firstRows(
      filter,
      { sort: 'newest', after: undefined, limit: rows },
      mismarked,
    )}) as listed where ${hasPhrase(examined)}`
  // The letters found are the newest, and few: they say nothing about the rest.
  if (!(await isFrequent(db, filter, withPhrase({ ...search, letterIds: [] }, SAMPLED))))
    return undefined
  const { rows } = await sql<{ isRevealed: boolean }>`
    select reveal_at <= ${filter.now} as is_revealed from (${withPhrase(search, COUNTED_IN)}) as matching
    limit ${sql.lit(limit)} ${planned(filter)}`.execute(db)
  return rows.length === limit ? rows : undefined
}

/** Some of the rows found, in no order. */
export async function listFound(
  db: Db,
  filter: ListFilter,
  search: Search,
  limit: number,
): Promise<{ id: string; isRevealed: boolean }[]> {
  const { rows } = await sql<{ id: string; isRevealed: boolean }>`
    select id, reveal_at <= ${filter.now} as is_revealed from revelations
    where ${isFound(filter, search)} limit ${sql.lit(limit)} ${planned(filter)}`.execute(db)
  return rows
}

/** A page of these rows, as far as they are of the list still. */
export async function pageAmong(
  db: Db,
  filter: ListFilter,
  ids: readonly string[],
  page: ListPage,
): Promise<EnvelopeRow[]> {
  const rows = sql<object>`select * from revelations
    where id = any(${ids}::uuid[]) and ${isListed(filter)}`
  return selectPage(db, rows, page).modifyEnd(plannedPage(filter, page)).execute()
}

/** A page of a frequent phrase, if the first rows of the list fill it. */
export async function pageAmongFirst(
  db: Db,
  filter: ListFilter,
  search: Search,
  page: ListPage,
): Promise<EnvelopeRow[] | undefined> {
  const mismarked = await listMismarked(db, filter, page.sort)
  const first = firstRows(filter, { ...page, limit: EXAMINED }, mismarked)
  const rows = await selectPage(db, first, page, [hasPhrase(search)])
    .modifyEnd(plannedPage(filter, page))
    .execute()
  return rows.length === page.limit ? rows : undefined
}

/** A page of a frequent phrase: among the first rows of the list if it fills the page, else among all of them. */
export async function pageOfFrequent(
  db: Db,
  filter: ListFilter,
  search: Search,
  page: ListPage,
): Promise<EnvelopeRow[]> {
  const first = await pageAmongFirst(db, filter, search, page)
  if (first) return first
  return byBitmaps(db, () => {
    // Materialised: the order of the page must not tempt the planner away from the bitmaps.
    const found = sql<object>`with found as materialized (
      select * from revelations where ${isFound(filter, search)}
    ) select * from found`
    return selectPage(db, found, page).execute()
  })
}

/** Of the newest rows of the list, those with the phrase: a page of them, and how many. */
export async function findAmongNewest(
  db: Db,
  filter: ListFilter,
  search: Search,
  page: ListPage,
  newest: number,
): Promise<{ rows: EnvelopeRow[]; found: number; revealed: number }> {
  const mismarked = await listMismarked(db, filter, 'newest')
  const every = firstRows(filter, { sort: 'newest', after: undefined, limit: newest }, mismarked)
  const examined = sql<object>`select * from (${every}) as every
    order by created_at desc, id desc limit ${newest}`
  const rows = await selectPage(db, examined, page, [hasPhrase(search)]).execute()
  const counted = await sql<{ found: number; revealed: number }>`
    select count(*) as found, count(*) filter (where reveal_at <= ${filter.now}) as revealed
    from (${examined}) as examined where ${hasPhrase(search)}`.execute(db)
  const counts = counted.rows[0] ?? { found: 0, revealed: 0 }
  return { rows, ...counts }
}

type Version = Pick<EnvelopeRow, 'id' | 'commitment' | 'revealAt'>

/** Revealed letters that may contain the searched pieces, the newest first; the caller opens them to be sure. */
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
  if (await isFrequent(db, filter, newest(SAMPLED))) {
    const frequent = await versionsOf(db, filter, newest(EXAMINED), limit)
    if (frequent.length === limit) return frequent
  }
  // One statement, whatever it finds: letters that are not for this viewer must not even cost time.
  const found = sql<object>`with found as materialized (
    select revelation_id from letter_grams
    where audience && ${audiencesOf(readable)}::text[] and ${hasGrams}
  ) select revelations.* from found join revelations on id = revelation_id
    where ${isListed(readable)}`
  return byBitmaps(db, () => versionsOf(db, filter, found, limit))
}

/**
 * Those of these rows whose letter has the pieces. Each letter is looked up by its row, never the other way round: a plan
 * that starts from the pieces would read private letters of others.
 */
function withLetters(rows: RawBuilder<object>, hasGrams: RawBuilder<SqlBool>): RawBuilder<object> {
  return sql`select listed.* from (${rows}) as listed
    where (select ${hasGrams} from letter_grams where revelation_id = listed.id)`
}

async function versionsOf(
  db: Db,
  filter: ListFilter,
  rows: RawBuilder<object>,
  limit: number,
): Promise<Version[]> {
  const { rows: versions } = await sql<Version>`
    select id, commitment, reveal_at from (${rows}) as listed
    order by created_at desc, id desc limit ${sql.lit(limit)} ${planned(filter)}`.execute(db)
  return versions
}

/** The viewer's own letters that no index contains yet, because they are sealed. */
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
