import { sql } from 'kysely'
import type { Db } from '#server/platform/database/db.ts'

const FILE_MAX = 50_000

/** How many public revelations there are, as triggers and the worker count them. */
export async function countPublic(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (coalesce((select sum(found) from public_counts), 0)
      + coalesce((select sum(change) from public_count_changes), 0))::float8 as count`.execute(db)
  return rows[0]?.count ?? 0
}

/** The public revelations between two ids, the last changed first; a reveal is a change. */
export async function listPublic(
  db: Db,
  { from, to }: { from: string; to: string },
  now: Date,
): Promise<{ id: string; changedAt: Date }[]> {
  const { rows } = await sql<{ id: string; changedAt: Date }>`
    select id, greatest(updated_at, case when reveal_at <= ${now} then reveal_at end) as changed_at
    from revelations
    where id between ${from} and ${to} and visibility = 'public' and hidden_at is null
    order by changed_at desc, id limit ${sql.lit(FILE_MAX)}`.execute(db)
  return rows
}
