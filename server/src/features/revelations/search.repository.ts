import { type RawBuilder, sql } from 'kysely'
import type { EnvelopeRow } from '#server/features/access/envelopes.rules.ts'
import { createStatement, type Db, literalPattern, PREPARED } from '#server/platform/database/db.ts'
import type { LetterVersion } from '#server/platform/sealing/reading-right.ts'
import {
  allOf,
  anyOf,
  audiencesOf,
  type Condition,
  firstRows,
  isListed,
  isListedBy,
  listMismarked,
  orderOf,
  preparedPage,
  selectPage,
} from './lists.repository.ts'
import { getListSources, type ListFilter, type ListPage, statusOf } from './lists.rules.ts'

/** A phrase, and what is known of where it stands. */
export interface Search {
  text: string
  /** Whether it is long enough to be searched in letters. */
  isInLetters: boolean
  /** Letters that are not on a public page, were opened and contain it. */
  letterIds: string[]
}

/** Rows examined one by one, first of the list first, before an index is used. */
const EXAMINED = 2_000

/** A phrase is frequent if at least so many of the newest rows contain it: few tell that it is rare, as most are. */
const SAMPLES = [
  { rows: 80, least: 1 },
  { rows: 400, least: 24 },
]
/** Rows in which a frequent phrase is counted up to the most that is counted. */
const COUNTED_IN = 25_000

/** A subquery: a plan for any text would build the pattern anew for each row. */
function patternOf(text: string) {
  return sql<string>`(select '%' || ${literalPattern(text)} || '%')`
}

/** Whether a row that the viewer may know of contains the phrase. */
function hasPhrase({ now }: ListFilter, { text, isInLetters, letterIds }: Search): Condition {
  const pattern = patternOf(text)
  return anyOf([
    sql`title_form like ${pattern}`,
    sql`(select pseudo_form from users where users.id = author_id) like ${pattern}`,
    ...(isInLetters ? [hasWords(now, pattern)] : []),
    sql`id = any(${letterIds}::uuid[])`,
  ])
}

/** A scalar subquery: each row looks up its letter, where `exists` could be planned to start from the words of all. */
function hasWords(now: Date, pattern: RawBuilder<string>): Condition {
  return sql`(visibility = 'public' and reveal_at <= ${now}
    and (select form like ${pattern} from public_letters where revelation_id = id))`
}

/**
 * Rows with the phrase, each once, as indexes find them: rows of this list and nothing else, so that private letters of others
 * cost no time. At most `limit` by title, author and letter, and as many by the words of public letters.
 */
function rowsFound(
  filter: ListFilter,
  { text, isInLetters, letterIds }: Search,
  authorIds: readonly string[],
  limit?: number,
): RawBuilder<object> {
  const pattern = patternOf(text)
  const { isPublic } = getListSources(filter)
  const hasLetters = isInLetters && statusOf(filter) !== 'pending'
  const end = limit === undefined ? sql`` : sql`limit ${sql.lit(limit)}`
  const named = anyOf([
    sql`(audience_of(author_id, visibility) && ${audiencesOf(filter)}::text[]
      and title_form like ${pattern})`,
    ...(authorIds.length > 0 ? [isListedBy(filter, authorIds)] : []),
    sql`id = any(${letterIds}::uuid[])`,
    // Of few authors: their rows are fewer than the letters of everybody that have the phrase.
    ...(hasLetters && !isPublic ? [allOf([isListed(filter), hasWords(filter.now, pattern)])] : []),
  ])
  const byName = sql<object>`(select * from revelations where ${allOf([named, isListed(filter)])} ${end})`
  if (!hasLetters || !isPublic) return byName
  return sql`${byName} union all (
    select revelations.* from public_letters join revelations on id = revelation_id
    where ${allOf([
      sql`form like ${pattern}`,
      sql`reveal_at <= ${filter.now}`,
      isListed(filter),
      sql`title_form not like ${pattern}`,
      sql`author_id <> all(${authorIds}::uuid[])`,
      sql`id <> all(${letterIds}::uuid[])`,
    ])} ${end})`
}

export async function listAuthorsNamed(bitmaps: Db, text: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from users where pseudo_form like ${patternOf(text)} ${PREPARED}`.execute(bitmaps)
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
    sql<object>`select * from (${firstRows(
      filter,
      { sort: 'newest', after: undefined, limit: rows },
      mismarked,
    )}) as listed where ${hasPhrase(filter, examined)}`
  // The letters that were opened are few: they say nothing about the rest.
  for (const { rows, least } of SAMPLES) {
    const { rows: matching } = await sql`
      select from (${withPhrase({ ...search, letterIds: [] }, rows)}) as matching
      limit ${sql.lit(least)} ${planned(filter)}`.execute(db)
    if (matching.length < least) return undefined
  }
  const { rows } = await sql<{ isRevealed: boolean }>`
    select reveal_at <= ${filter.now} as is_revealed from (${withPhrase(search, COUNTED_IN)}) as matching
    limit ${sql.lit(limit)} ${planned(filter)}`.execute(db)
  return rows.length === limit ? rows : undefined
}

/** Some of the rows found, in no order. */
export async function listFound(
  bitmaps: Db,
  filter: ListFilter,
  search: Search,
  authorIds: readonly string[],
  limit: number,
): Promise<{ id: string; isRevealed: boolean }[]> {
  const found = rowsFound(filter, search, authorIds, limit)
  const { rows } = await sql<{ id: string; isRevealed: boolean }>`
    select id, reveal_at <= ${filter.now} as is_revealed from (${found}) as found
    limit ${sql.lit(limit)} ${planned(filter)}`.execute(bitmaps)
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
  // Of each source so many were read: only the first of all of them are the first of the list.
  const first = sql<object>`select * from (${firstRows(filter, { ...page, limit: EXAMINED }, mismarked)}) as first
    order by ${orderOf(page.sort)} limit ${sql.lit(EXAMINED)}`
  const rows = await selectPage(db, first, page, [hasPhrase(filter, search)])
    .modifyEnd(plannedPage(filter, page))
    .execute()
  return rows.length === page.limit ? rows : undefined
}

/** A page of all rows that an index finds. */
export async function pageOfFound(
  bitmaps: Db,
  filter: ListFilter,
  search: Search,
  authorIds: readonly string[],
  page: ListPage,
): Promise<EnvelopeRow[]> {
  // Materialised: the order of the page must not tempt the planner away from the bitmaps.
  const found = sql<object>`with found as materialized (
    ${rowsFound(filter, search, authorIds)}
  ) select * from found`
  return selectPage(bitmaps, found, page).execute()
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
  const rows = await selectPage(db, examined, page, [hasPhrase(filter, search)]).execute()
  const counted = await sql<{ found: number; revealed: number }>`
    select count(*) as found, count(*) filter (where reveal_at <= ${filter.now}) as revealed
    from (${examined}) as examined where ${hasPhrase(filter, search)}`.execute(db)
  const counts = counted.rows[0] ?? { found: 0, revealed: 0 }
  return { rows, ...counts }
}

type Version = LetterVersion & { revealAt: Date }

/**
 * Revealed letters of this list that may contain the searched pieces, the newest first; the caller opens them to be sure. Public
 * ones are searched in their own words, but for those that the worker did not get to yet.
 */
export async function listLetterCandidates(
  bitmaps: Db,
  filter: ListFilter,
  grams: readonly number[],
  limit: number,
): Promise<Version[]> {
  const readable: ListFilter = { ...filter, status: 'revealed' }
  if (statusOf(filter) === 'pending') return []
  // One statement, whatever it finds: letters that are not for this viewer must not even cost time.
  const { rows } = await sql<Version>`with found as materialized (
    select revelation_id from letter_grams
    where audience && ${audiencesOf(readable)}::text[] and grams @> ${grams}::integer[]
  ) select id, commitment, reveal_at from found join revelations on id = revelation_id
    where ${isListed(readable)}
    order by created_at desc, id desc limit ${sql.lit(limit)} ${planned(filter)}`.execute(bitmaps)
  return rows
}

/** The viewer's own letters that no index contains: sealed ones, and those that the worker did not get to yet. */
export async function listOwnUnindexed(
  db: Db,
  userId: string,
  limit: number,
): Promise<(LetterVersion & { authorId: string })[]> {
  return readOwnUnindexed(db, { userId, limit })
}

const readOwnUnindexed = createStatement(
  (db, { userId, limit }: { userId: string; limit: number }) =>
    db
      .selectFrom('revelations')
      .select(['id', 'commitment', 'authorId'])
      .where('authorId', '=', userId)
      // A literal: the partial index is of no use to a plan for any value.
      .where('searchable', '=', sql.lit(false))
      .orderBy('createdAt', 'desc')
      .limit(limit)
      .modifyEnd(PREPARED),
)
