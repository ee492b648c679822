import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { PREPARED } from '#server/platform/database/prepared.ts'
import { literalPattern } from '#server/platform/database/search-form.ts'
import {
  allOf,
  anyOf,
  firstRows,
  isListed,
  listMismarked,
  needsMarks,
  selectPage,
} from './lists.repository.ts'
import type { ListFilter, ListPage } from './lists.rules.ts'
import type { EnvelopeRow } from './revelations.repository.ts'

/** What is searched, and what was found to hold it besides titles. */
export interface Search {
  text: string
  /** Undefined when pseudos are to be looked at one by one. */
  authorIds: string[] | undefined
  letterIds: string[]
}

/** Rows looked at one by one, first of the list first, before an index is asked. */
export const LOOKED_AT = 2_000

function patternOf(text: string) {
  return sql<string>`('%' || ${literalPattern(text)} || '%')`
}

function holds({ text, authorIds, letterIds }: Search): RawBuilder<SqlBool> {
  const pattern = patternOf(text)
  return anyOf([
    sql`title_form like ${pattern}`,
    authorIds
      ? sql`author_id = any(${authorIds}::uuid[])`
      : sql`(select search_form(pseudo) from users where users.id = author_id) like ${pattern}`,
    sql`id = any(${letterIds}::uuid[])`,
  ])
}

/**
 * Runs `work` on a database that answers with bitmaps of its indexes. What holds a phrase cannot be foretold, and a
 * plan that hopes to meet it early reads everything when it is rare.
 */
export async function byBitmaps<T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await sql`select set_config(name, 'off', true)
      from unnest(array['enable_seqscan', 'enable_indexscan', 'enable_indexonlyscan']) as name`.execute(
      tx,
    )
    return work(tx)
  })
}

export async function listAuthorsNamed(db: Db, text: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from users where search_form(pseudo) like ${patternOf(text)} ${PREPARED}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Some of what is found, in no order. */
export async function listFound(
  db: Db,
  filter: ListFilter,
  search: Search,
  limit: number,
): Promise<{ id: string; isRevealed: boolean }[]> {
  const { rows } = await sql<{ id: string; isRevealed: boolean }>`
    select id, reveal_at <= ${filter.now} as is_revealed from revelations
    where ${allOf([holds(search), isListed(filter)])} limit ${sql.lit(limit)} ${PREPARED}`.execute(
    db,
  )
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
  return selectPage(db, rows, page).execute()
}

/** A page of what is found often: among the first rows of the list if it fills the page, else among all of them. */
export async function pageOfFrequent(
  db: Db,
  filter: ListFilter,
  search: Search,
  page: ListPage,
): Promise<EnvelopeRow[]> {
  const mismarked = needsMarks(filter, page.sort) ? await listMismarked(db, filter.now) : []
  const first = firstRows(filter, { ...page, limit: LOOKED_AT }, mismarked)
  const rows = await selectPage(db, first, page, [holds(search)]).execute()
  if (rows.length === page.limit) return rows
  return byBitmaps(db, (tx) => {
    // Materialised: the order of the page must not tempt the planner away from the bitmaps.
    const found = sql<object>`with found as materialized (
      select * from revelations where ${allOf([holds(search), isListed(filter)])}
    ) select * from found`
    return selectPage(tx, found, page).execute()
  })
}

/** Of the newest rows of the list, those that hold the phrase: a page of them, and how many. */
export async function findAmongNewest(
  db: Db,
  filter: ListFilter,
  search: Search,
  page: ListPage,
  newest: number,
): Promise<{ rows: EnvelopeRow[]; found: number; revealed: number }> {
  const mismarked = needsMarks(filter, 'newest') ? await listMismarked(db, filter.now) : []
  const every = firstRows(filter, { sort: 'newest', after: undefined, limit: newest }, mismarked)
  const looked = sql<object>`select * from (${every}) as every
    order by created_at desc, id desc limit ${newest}`
  const [rows, counted] = await Promise.all([
    selectPage(db, looked, page, [holds(search)]).execute(),
    sql<{ found: number; revealed: number }>`
      select count(*) as found, count(*) filter (where reveal_at <= ${filter.now}) as revealed
      from (${looked}) as looked where ${holds(search)}`.execute(db),
  ])
  const counts = counted.rows[0] ?? { found: 0, revealed: 0 }
  return { rows, ...counts }
}
