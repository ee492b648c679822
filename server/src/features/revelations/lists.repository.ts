import { type ExpressionBuilder, type ExpressionWrapper, type SqlBool, sql } from 'kysely'
import type { Category, Sort, Visibility } from '#contract/revelations.ts'
import type { Ties } from '#server/features/relationships/relationships.rules.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Tables } from '#server/platform/database/tables.ts'
import { type EnvelopeRow, selectEnvelopes } from './revelations.repository.ts'

type Where = ExpressionBuilder<Tables, 'revelations'>
type Condition = ExpressionWrapper<Tables, 'revelations', SqlBool>

/** Whose list this is: the viewer with everyone tied to them. */
export interface ListViewer extends Ties {
  userId: string | null
}

export interface ListFilter {
  viewer: ListViewer
  now: Date
  /** `all`: public, friends’ and own, never family (decisions §1). `profile`: public and revealed only. */
  scope: 'all' | 'own' | 'profile' | Visibility
  status: 'all' | 'revealed' | 'pending'
  category: Category | undefined
  authorId: string | undefined
  search: { text: string; letterIds: string[] } | undefined
}

export interface ListCursor {
  value: string | number
  id: string
}

const ORDERS = {
  newest: { column: 'revelations.createdAt', direction: 'desc' },
  soonest: { column: 'revelations.revealAt', direction: 'asc' },
  latest_revealed: { column: 'revelations.revealAt', direction: 'desc' },
  popular: { column: 'revelations.reactionsCount', direction: 'desc' },
} as const

function never(where: Where): Condition {
  return where.val(false) as unknown as Condition
}

function audience(where: Where, scope: ListFilter['scope'], viewer: ListViewer): Condition {
  const isMine = viewer.userId ? where('revelations.authorId', '=', viewer.userId) : never(where)
  const byOneOf = (ids: string[]) =>
    ids.length === 0 ? never(where) : where('revelations.authorId', 'in', ids)
  const shownTo = (visibility: Visibility, ids: string[]) =>
    where.and([where('revelations.visibility', '=', visibility), where.or([isMine, byOneOf(ids)])])
  const tied = [...viewer.friends, ...viewer.family]
  switch (scope) {
    case 'public':
    case 'profile':
      return where('revelations.visibility', '=', 'public')
    case 'friends':
      return shownTo('friends', tied)
    case 'family':
      return shownTo('family', viewer.family)
    case 'private':
      return shownTo('private', [])
    case 'own':
      return isMine
    case 'all':
      if (!viewer.userId) return where('revelations.visibility', '=', 'public')
      return where.or([
        where('revelations.visibility', '=', 'public'),
        shownTo('friends', tied),
        shownTo('private', []),
      ])
  }
}

function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
}

function matching(where: Where, search: NonNullable<ListFilter['search']>): Condition {
  const pattern = sql<string>`search_form(${containing(search.text)})`
  return where.or([
    sql<SqlBool>`search_form(revelations.title) like ${pattern}`,
    sql<SqlBool>`revelations.author_id in (select id from users where search_form(pseudo) like ${pattern})`,
    ...(search.letterIds.length > 0 ? [where('revelations.id', 'in', search.letterIds)] : []),
  ])
}

function conditionsOf(where: Where, filter: ListFilter): Condition {
  const conditions = [audience(where, filter.scope, filter.viewer)]
  const { blocked } = filter.viewer
  if (blocked.length > 0) conditions.push(where('revelations.authorId', 'not in', blocked))
  const status = filter.scope === 'profile' ? 'revealed' : filter.status
  if (status === 'revealed') conditions.push(where('revelations.revealAt', '<=', filter.now))
  if (status === 'pending') conditions.push(where('revelations.revealAt', '>', filter.now))
  if (filter.category) conditions.push(where('revelations.category', '=', filter.category))
  if (filter.authorId) conditions.push(where('revelations.authorId', '=', filter.authorId))
  if (filter.search) conditions.push(matching(where, filter.search))
  return where.and(conditions)
}

/** One page of envelopes in the order asked, after the cursor: keyset, so a deep page costs as much as the first. */
export async function listEnvelopes(
  db: Db,
  filter: ListFilter,
  page: { sort: Sort; after: ListCursor | undefined; limit: number },
): Promise<EnvelopeRow[]> {
  const { column, direction } = ORDERS[page.sort]
  const comparison = direction === 'desc' ? '<' : '>'
  return selectEnvelopes(db)
    .where((where) => conditionsOf(where as unknown as Where, filter))
    .$if(page.after !== undefined, (query) =>
      query.where(
        sql<SqlBool>`(${sql.ref(column)}, revelations.id) ${sql.raw(comparison)} (${page.after?.value}, ${page.after?.id})`,
      ),
    )
    .orderBy(column, direction)
    .orderBy('revelations.id', direction)
    .limit(page.limit)
    .execute()
}

/** What the cursor remembers of the last envelope of a page. */
export function cursorValueOf(sort: Sort, row: EnvelopeRow): string | number {
  if (sort === 'newest') return row.createdAt.toISOString()
  if (sort === 'popular') return row.reactionsCount
  return row.revealAt.toISOString()
}

export async function countEnvelopes(
  db: Db,
  filter: ListFilter,
): Promise<{ found: number; revealed: number }> {
  const row = await db
    .selectFrom('revelations')
    .select((select) => [
      select.fn.countAll<number>().as('found'),
      select.fn
        .countAll<number>()
        .filterWhere('revelations.revealAt', '<=', filter.now)
        .as('revealed'),
    ])
    .where((where) => conditionsOf(where as unknown as Where, filter))
    .executeTakeFirstOrThrow()
  return { found: Number(row.found), revealed: Number(row.revealed) }
}

/** Revealed letters that may hold the searched pieces, the newest first; the caller opens them to be sure. */
export async function listLetterCandidates(
  db: Db,
  filter: ListFilter,
  grams: number[],
  limit: number,
): Promise<EnvelopeRow[]> {
  return selectEnvelopes(db)
    .where((where) => conditionsOf(where as unknown as Where, { ...filter, search: undefined }))
    .where('revelations.revealAt', '<=', filter.now)
    .where(
      sql<SqlBool>`revelations.id in (select revelation_id from letter_grams where grams @> ${sql.val(grams)}::integer[])`,
    )
    .orderBy('revelations.createdAt', 'desc')
    .limit(limit)
    .execute()
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
    .limit(limit)
    .execute()
}

/** Revealed letters that cannot be searched yet. */
export async function listRevealedUnindexed(
  db: Db,
  now: Date,
  limit: number,
): Promise<Pick<EnvelopeRow, 'id' | 'commitment'>[]> {
  return db
    .selectFrom('revelations')
    .select(['id', 'commitment'])
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
