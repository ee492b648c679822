import { sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '#server/platform/database/db.ts'

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

/** Its order makes the index cheaper than the table, whatever the plan expects. */
const UNSEEN = {
  name: 'public_changes',
  text: `select pg_current_snapshot()::text as snapshot, pg_postmaster_start_time()::text as server, (
      select json_agg(json_build_array(scope, row_id)) from (
        select scope, row_id from public_changes
        where xid >= pg_snapshot_xmin($1) and not pg_visible_in_snapshot(xid, $1)
        order by xid limit $2
      ) as unseen
    ) as changes`,
}
const NOTHING_YET = '1:1:'

/** The present snapshot, and at most `limit` of what changed since the former. */
export async function readUnseenChanges(
  pool: pg.Pool,
  former: string | undefined,
  limit: number,
): Promise<UnseenChanges> {
  const values = [former ?? NOTHING_YET, limit]
  const { rows } = await pool.query<UnseenChanges>({ ...UNSEEN, values })
  return rows[0] as UnseenChanges
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
