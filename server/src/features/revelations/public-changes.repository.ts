import { sql } from 'kysely'
import { createStatement, type Db, onlyRow, PREPARED_READ } from '#server/platform/database/db.ts'

/** As the triggers write it (migration 0059). */
export type PublicChange = ['row' | 'order' | 'list' | 'words' | 'everything', string | null]

interface UnseenChanges {
  /** What queries see now, as PostgreSQL writes it. */
  snapshot: string
  /** Which start of the server it is of. */
  server: string
  /** What became visible since the former snapshot; null for nothing. */
  changes: PublicChange[] | null
}

interface Look {
  former: string
  limit: number
}

/** Its order makes the index cheaper than the table, whatever the plan expects. */
const selectUnseen = createStatement(
  (_db, { former, limit }: Look) => sql<UnseenChanges>`
    select pg_current_snapshot()::text as snapshot, pg_postmaster_start_time()::text as server, (
      select json_agg(json_build_array(scope, row_id)) from (
        select scope, row_id from public_changes
        where xid >= pg_snapshot_xmin(${former}) and not pg_visible_in_snapshot(xid, ${former})
        order by xid limit ${limit}
      ) as unseen
    ) as changes ${PREPARED_READ}`,
)
const NOTHING_YET = '1:1:'

/** The present snapshot, and at most `limit` of what changed since the former. */
export async function readUnseenChanges(
  db: Db,
  former: string | undefined,
  limit: number,
): Promise<UnseenChanges> {
  return onlyRow(await selectUnseen(db, { former: former ?? NOTHING_YET, limit }))
}

/** Deletes what was noted, if anything, and notes that everything may have changed. */
export async function deletePublicChanges(tx: Db): Promise<void> {
  // However many there are, some day they must go.
  await sql`set local statement_timeout = 0`.execute(tx)
  await sql`
    with forgotten as (
      delete from public_changes where exists (select from public_changes where scope <> 'everything') returning scope
    )
    insert into public_changes (scope) select 'everything' where exists (select from forgotten)`.execute(
    tx,
  )
}
