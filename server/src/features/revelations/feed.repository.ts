import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { PREPARED } from '#server/platform/database/prepared.ts'
import { shelfCounts } from './counts.repository.ts'
import { firstOfShelves, selectPage } from './lists.repository.ts'
import type { ListFilter, ListPage, Shelf } from './lists.rules.ts'
import type { EnvelopeRow } from './revelations.repository.ts'

interface ShelvesRead {
  /** The first rows of these shelves. */
  rows: EnvelopeRow[]
  found: number
  revealed: number
  /** Which of the ids the person left a reaction under. */
  reactedTo: string[]
}

/** What one person sees besides what everybody sees, in one query. */
export async function readShelves(
  db: Db,
  filter: ListFilter,
  shelves: readonly Shelf[],
  page: ListPage,
  reader: { userId: string; ids: readonly string[] },
): Promise<ShelvesRead> {
  const first = selectPage(db, firstOfShelves(filter, shelves, page), page)
  type Row = EnvelopeRow & { found: number; shelvesRevealed: number; reactedTo: string[] }
  const { rows } = await sql<Omit<Row, 'id'> & { id: string | null }>`
    select counted.found, counted.shelves_revealed, counted.reacted_to, page.*
    from (
      select coalesce(sum(found), 0)::bigint as found,
        coalesce(sum(revealed), 0)::bigint as shelves_revealed,
        array(
          select distinct revelation_id from reactions
          where author_id = ${reader.userId} and revelation_id = any(${reader.ids}::uuid[])
        )::text[] as reacted_to
      from (${shelfCounts(filter, shelves, 1)}) as shelves
    ) as counted
    left join ${first} as page on true ${PREPARED}`.execute(db)
  const { found = 0, shelvesRevealed = 0, reactedTo = [] } = rows[0] ?? {}
  return {
    rows: rows.filter((row): row is Row => row.id !== null),
    found,
    revealed: shelvesRevealed,
    reactedTo,
  }
}
