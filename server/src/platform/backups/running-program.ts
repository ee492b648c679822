import type pg from 'pg'

/** Whether a program, on this machine or another, is connected to this database; commands have another name. */
export async function isProgramOn(client: Pick<pg.ClientBase, 'query'>): Promise<boolean> {
  const { rows } = await client.query(
    `select from pg_stat_activity
     where datname = current_database() and application_name = 'revelations' limit 1`,
  )
  return rows.length > 0
}
