import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { OutcomeFilter } from '#contract/predictions.ts'
import { LIST_DEFAULT_LIMIT, type Sort } from '#contract/revelations.ts'
import { selectEnvelopes } from '#server/features/access/envelopes.repository.ts'
import type { EnvelopeRow } from '#server/features/access/envelopes.rules.ts'
import { type Db, PREPARED } from '#server/platform/database/db.ts'
import {
  type AudienceSlice,
  getListSources,
  type ListCursor,
  type ListFilter,
  type ListPage,
  type ListSources,
  statusOf,
} from './lists.rules.ts'

export type Condition = RawBuilder<SqlBool>

const ORDERS = {
  newest: { column: 'created_at', direction: 'desc' },
  soonest: { column: 'reveal_at', direction: 'asc' },
  latest_revealed: { column: 'reveal_at', direction: 'desc' },
  popular: { column: 'reactions_count', direction: 'desc' },
} as const

/** Beyond as many, the worker is so late that the mark it leaves on revealed rows is of no use. */
const MAX_MISMARKED = 500

export function allOf(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? sql`true` : sql`(${sql.join(conditions, sql` and `)})`
}

export function anyOf(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? sql`false` : sql`(${sql.join(conditions, sql` or `)})`
}

export function orderOf(sort: Sort) {
  const { column, direction } = ORDERS[sort]
  return sql`${sql.ref(column)} ${sql.raw(direction)}, id ${sql.raw(direction)}`
}

function isWithin({ sort, after, until }: ListPage): Condition[] {
  const { column, direction } = ORDERS[sort]
  const place = sql`(${sql.ref(column)}, id)`
  const [beyond, upTo] = direction === 'desc' ? ['<', '>='] : ['>', '<=']
  return [
    ...(after ? [sql<SqlBool>`${place} ${sql.raw(beyond)} (${after.value}, ${after.id})`] : []),
    ...(until ? [sql<SqlBool>`${place} ${sql.raw(upTo)} (${until.value}, ${until.id})`] : []),
  ]
}

/** Status, category, kind and outcome: what narrows every source alike. */
function narrowing(filter: ListFilter): Condition[] {
  const status = statusOf(filter)
  return [
    ...(status === 'revealed' ? [sql<SqlBool>`reveal_at <= ${filter.now}`] : []),
    ...(status === 'pending' ? [sql<SqlBool>`reveal_at > ${filter.now}`] : []),
    ...(filter.category ? [sql<SqlBool>`category = ${filter.category}`] : []),
    ...isKind(filter),
    ...(filter.outcome ? isJudged(filter.outcome) : []),
  ]
}

/** Written into the statement: of so few values, one may be that of nearly all rows and another that of hardly any. */
export function isKind({ kind }: ListFilter): Condition[] {
  return kind ? [sql<SqlBool>`kind = ${sql.lit(kind)}`] : []
}

function isJudged(outcome: OutcomeFilter): Condition[] {
  return [
    sql`visibility = 'public'`,
    sql`kind = 'prediction'`,
    outcome === 'none' ? sql`outcome is null` : sql`outcome = ${outcome}`,
  ]
}

function isShown({ hidden }: ListSources): Condition[] {
  return [
    sql`visibility = 'public'`,
    ...(hidden.length > 0 ? [sql<SqlBool>`author_id <> all(${hidden}::uuid[])`] : []),
  ]
}

/** Whether a row is of these sources. */
function isFrom(sources: ListSources): Condition {
  const byVisibility = Map.groupBy(sources.shelves, (shelf) => shelf.visibility)
  return anyOf([
    ...(sources.isPublic ? [allOf(isShown(sources))] : []),
    ...[...byVisibility].map(([visibility, shelves]): Condition => {
      const authors = shelves.map((shelf) => shelf.authorId)
      return sql`(visibility = ${visibility} and author_id = any(${authors}::uuid[]))`
    }),
  ])
}

/** For whom a list’s rows are, as the indexes of the search know it (`audience_of`). */
export function audiencesOf(filter: ListFilter): string[] {
  const { isPublic, shelves } = getListSources(filter)
  const audiences = shelves.map(({ authorId, visibility }) =>
    visibility === 'public' ? 'public' : `${authorId}/${visibility}`,
  )
  return [...new Set(isPublic ? ['public', ...audiences] : audiences)]
}

/** Whether a row is of this list and by one of these people: by an index of what each shows to whom. */
export function isListedBy(filter: ListFilter, authorIds: readonly string[]): Condition {
  const { isPublic, hidden, shelves } = getListSources(filter)
  const wanted = new Set(authorIds)
  return isFrom({
    isPublic: false,
    hidden,
    shelves: [
      ...(isPublic
        ? authorIds.map((authorId) => ({ authorId, visibility: 'public' as const }))
        : []),
      ...shelves.filter(({ authorId }) => wanted.has(authorId)),
    ],
  })
}

/** Whether a row is of this list. */
export function isListed(filter: ListFilter): Condition {
  return allOf([isFrom(getListSources(filter)), ...narrowing(filter)])
}

/**
 * Rows that are sealed by the worker’s mark and revealed by the clock, or the reverse; none for a page that is
 * read without the mark.
 */
export async function listMismarked(
  db: Db,
  filter: ListFilter,
  sort: Sort,
): Promise<string[] | 'too_many'> {
  if (!needsMarks(filter, sort)) return []
  const { now } = filter
  const { rows } = await sql<{ id: string }>`
    (select id from revelations where not searchable and reveal_at <= ${now}
      order by reveal_at desc limit ${sql.lit(MAX_MISMARKED)})
    union all
    (select id from revelations where searchable and reveal_at > ${now}
      order by reveal_at limit ${sql.lit(MAX_MISMARKED)}) ${PREPARED}`.execute(db)
  return rows.length < MAX_MISMARKED ? rows.map(({ id }) => id) : 'too_many'
}

/** Whether the rows of a page stand together in no index, but for the worker’s mark. */
function needsMarks(filter: ListFilter, sort: Sort): boolean {
  return (
    statusOf(filter) !== 'all' &&
    ORDERS[sort].column !== 'reveal_at' &&
    getListSources(filter).isPublic
  )
}

/**
 * The public rows are read in order from one index each: as no index can follow the clock, those of one status are
 * the ones the worker marked so, and those it is yet to mark.
 */
function publicParts(filter: ListFilter, sort: Sort, mismarked: string[] | 'too_many') {
  const marked: Condition = sql`searchable`
  const unmarked: Condition = sql`not searchable`
  if (ORDERS[sort].column === 'reveal_at' || mismarked === 'too_many') return [[]]
  const status = statusOf(filter)
  const isNarrowed = filter.category !== undefined || filter.kind !== undefined
  if (status === 'all') return sort === 'newest' && !isNarrowed ? [[]] : [[marked], [unmarked]]
  const late: Condition = sql`id = any(${mismarked}::uuid[])`
  return status === 'revealed' ? [[marked], [unmarked, late]] : [[unmarked], [marked, late]]
}

function firstOf(
  filter: ListFilter,
  page: ListPage,
  conditions: readonly Condition[],
): RawBuilder<object> {
  const all = [...conditions, ...narrowing(filter), ...isWithin(page)]
  return sql`select * from revelations where ${allOf(all)}
    order by ${orderOf(page.sort)} limit ${sql.lit(page.limit)}`
}

/** Shelves as rows of a query: `of_author`, `shown_to`. */
export function rowsOfShelves(shelves: readonly AudienceSlice[]): RawBuilder<object> {
  const authors = shelves.map((shelf) => shelf.authorId)
  const visibilities = shelves.map((shelf) => shelf.visibility)
  return sql`unnest(${authors}::uuid[], ${visibilities}::text[]) as shelf (of_author, shown_to)`
}

/** The first rows of each slice in the order of the page. */
export function firstOfShelves(
  filter: ListFilter,
  shelves: RawBuilder<object>,
  page: ListPage,
): RawBuilder<object> {
  const isOnShelf: Condition[] = [
    sql`author_id = shelf.of_author`,
    sql`visibility = shelf.shown_to`,
  ]
  return sql`select revelations.* from ${shelves}
    cross join lateral (${firstOf(filter, page, isOnShelf)}) as revelations`
}

/** The first rows of every source in the order of the page: a page of the list is among them. */
export function firstRows(
  filter: ListFilter,
  page: ListPage,
  mismarked: string[] | 'too_many',
): RawBuilder<object> {
  const sources = getListSources(filter)
  const parts = sources.isPublic
    ? publicParts(filter, page.sort, mismarked).map(
        (part) => sql`(${firstOf(filter, page, [...isShown(sources), ...part])})`,
      )
    : []
  if (sources.shelves.length > 0) {
    parts.push(sql`(${firstOfShelves(filter, rowsOfShelves(sources.shelves), page)})`)
  }
  if (parts.length === 0) return sql`select * from revelations where false`
  return sql`${sql.join(parts, sql` union all `)}`
}

/** The query of a page of the rows of another, in the order of the page. */
export function selectPage(
  db: Db,
  rows: RawBuilder<object>,
  page: ListPage,
  matching: readonly Condition[] = [],
) {
  const { column, direction } = ORDERS[page.sort]
  const listed = sql`(select * from (${rows}) as listed
    where ${allOf([...isWithin(page), ...matching])}
    order by ${orderOf(page.sort)} limit ${sql.lit(page.limit)})`
  const shadowed = db.with('revelations', () => listed as never) as unknown as Db
  return selectEnvelopes(shadowed)
    .orderBy(sql.ref(`revelations.${column}`), direction)
    .orderBy('revelations.id', direction)
}

/**
 * The end of the statement of a page: only those of the usual size are planned once. A client that requests all sizes would use
 * up what connections remember.
 */
export function preparedPage({ limit }: ListPage, mark = PREPARED): RawBuilder<unknown> {
  return limit === LIST_DEFAULT_LIMIT + 1 ? mark : sql``
}

/** What says where a row stands in any order. */
export type PlacedRow = Pick<EnvelopeRow, 'id' | 'createdAt' | 'revealAt' | 'reactionsCount'>

/** How two rows compare in an order. */
export function orderOfRows(sort: Sort, one: PlacedRow, other: PlacedRow): number {
  const [first, second] = [numberOf(sort, one), numberOf(sort, other)]
  const ascending = first - second || (one.id < other.id ? -1 : 1)
  return ORDERS[sort].direction === 'asc' ? ascending : -ascending
}

function numberOf(sort: Sort, row: PlacedRow): number {
  if (sort === 'newest') return row.createdAt.getTime()
  return sort === 'popular' ? row.reactionsCount : row.revealAt.getTime()
}

/** One page of envelopes: keyset, so a deep page costs as much as the first. */
export async function listEnvelopes(
  db: Db,
  filter: ListFilter,
  page: ListPage,
): Promise<EnvelopeRow[]> {
  const mismarked = await listMismarked(db, filter, page.sort)
  return selectPage(db, firstRows(filter, page, mismarked), page)
    .modifyEnd(preparedPage(page))
    .execute()
}

/** When the next public revelation opens. */
export async function findNextPublicReveal(db: Db, now: Date): Promise<Date | undefined> {
  const { rows } = await sql<{ revealAt: Date }>`
    select reveal_at from revelations where visibility = 'public' and reveal_at > ${now}
    order by reveal_at limit 1`.execute(db)
  return rows[0]?.revealAt
}

/** The place of an envelope in an order. */
export function placeOf(sort: Sort, row: PlacedRow): ListCursor {
  const value = sort === 'popular' ? row.reactionsCount : row.revealAt
  return { value: sort === 'newest' ? row.createdAt : value, id: row.id }
}
