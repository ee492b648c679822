import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Db, PREPARED } from '#server/platform/database/db.ts'
import { allOf, firstRows, isKind, rowsOfShelves } from './lists.repository.ts'
import { type AudienceSlice, getListSources, type ListFilter } from './lists.rules.ts'

interface Counted {
  found: number
  revealed: number
}

const until = sql`(select counted_until from public_counts_until)`

/**
 * How many revelations a list holds, whatever their status, without reading all of them: the public ones were
 * counted, and change by what the writers noted and by what the clock passed since; a shelf is counted in its index.
 */
export async function countListed(db: Db, filter: ListFilter): Promise<Counted> {
  const { isPublic, hidden, shelves } = getListSources(filter)
  const unseen = isPublic
    ? hidden.map((authorId): AudienceSlice => ({ authorId, visibility: 'public' }))
    : []
  const parts = [
    ...(isPublic ? [publicCounts(filter)] : []),
    ...(shelves.length > 0 ? [shelfCounts(filter, rowsOfShelves(shelves), 1)] : []),
    ...(unseen.length > 0 ? [shelfCounts(filter, rowsOfShelves(unseen), -1)] : []),
  ]
  if (parts.length === 0) return { found: 0, revealed: 0 }
  const { rows } = await sql<Counted>`
    select coalesce(sum(found), 0)::bigint as found, coalesce(sum(revealed), 0)::bigint as revealed
    from (${sql.join(parts, sql` union all `)}) as parts ${PREPARED}`.execute(db)
  return rows[0] as Counted
}

/** How many predictions of this list have the outcome of the filter, read in the order of an index: up to `limit`. */
export async function countOutcomes(db: Db, filter: ListFilter, limit: number): Promise<number> {
  const page = { sort: 'latest_revealed', after: undefined, limit } as const
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (${firstRows(filter, page, [])}) as found`.execute(db)
  return rows[0]?.count ?? 0
}

/** What is counted apart. */
function isCounted(filter: ListFilter) {
  const { category } = filter
  return allOf([...(category ? [sql<SqlBool>`category = ${category}`] : []), ...isKind(filter)])
}

function publicCounts(filter: ListFilter) {
  const { now } = filter
  const counted = isCounted(filter)
  return sql`
    select found, revealed from public_counts where ${counted}
    union all
    select change, case when reveal_at <= ${until} then change else 0 end
      from public_count_changes where ${counted}
    union all
    select 0, count(*) from revelations
      where visibility = 'public' and reveal_at > ${until} and reveal_at <= ${now} and ${counted}
    union all
    select 0, -count(*) from revelations
      where visibility = 'public' and reveal_at > ${now} and reveal_at <= ${until} and ${counted}`
}

/** How many stand on each of these shelves. */
export function shelfCounts(filter: ListFilter, shelves: RawBuilder<object>, sign: 1 | -1) {
  const factor = sql.raw(String(sign))
  return sql`
    select ${factor} * counted.found as found, ${factor} * counted.revealed as revealed
    from ${shelves}
    cross join lateral (
      select count(*) as found, count(*) filter (where reveal_at <= ${filter.now}) as revealed
      from revelations
      where author_id = shelf.of_author and visibility = shelf.shown_to and ${isCounted(filter)}
    ) as counted`
}

/** Whether there is anything to add up: looking writes nothing. */
export async function hasUncounted(db: Db, now: Date): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select from public_count_changes)
      or exists (
        select from revelations
        where visibility = 'public' and reveal_at > ${until} and reveal_at <= ${now}
      ) as has`.execute(db)
  return rows[0]?.has === true
}

/** False while another process adds up. */
export async function lockCounts(db: Db): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('public_counts')) as locked`.execute(db)
  return rows[0]?.locked === true
}

/**
 * Adds the changes to the counts, and moves their instant on to `now`. One statement sees one state of the database:
 * what commits meanwhile is a change again.
 */
export async function addUp(db: Db, now: Date): Promise<void> {
  // However many changes wait, some day they must be added up.
  await sql`set local statement_timeout = 0`.execute(db)
  await sql`
    with taken as (
      delete from public_count_changes returning category, kind, reveal_at, change
    ), added as (
      select category, kind, change as found, case when reveal_at <= ${until} then change else 0 end as revealed
        from taken
      union all
      select category, kind, 0, count(*) from revelations
        where visibility = 'public' and reveal_at > ${until} and reveal_at <= ${now}
        group by category, kind
    ), saved as (
      insert into public_counts (category, kind, found, revealed)
        select category, kind, sum(found), sum(revealed) from added group by category, kind
        on conflict (category, kind) do update set
          found = public_counts.found + excluded.found,
          revealed = public_counts.revealed + excluded.revealed
    )
    update public_counts_until set counted_until = greatest(counted_until, ${now})`.execute(db)
}
