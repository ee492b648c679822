import type pg from 'pg'
import { StartError } from '#server/platform/start-error.ts'

const LOCK = 20_271_232

/**
 * Runs the work while no other backup or restore of the database runs. The lock belongs to the connection that the work
 * receives: even a kill releases it. Throws a `StartError` while another process has it.
 */
export async function withBackupLock<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  try {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as locked', [LOCK])
    if (!rows[0].locked) {
      throw new StartError(
        'Another backup or restore of this database is under way: let it end first.',
      )
    }
    const result = await work(client)
    // PostgreSQL notices the end of a connection later, and another backup may start at once.
    await client.query('select pg_advisory_unlock($1)', [LOCK])
    return result
  } finally {
    client.release(true)
  }
}

type Client = Pick<pg.ClientBase, 'query'>

/** A restore that started and did not end in this database: its backup, and whether the rows are loaded. */
export interface UnfinishedRestore {
  run: string
  isLoaded: boolean
}

export async function findUnfinishedRestore(
  client: Client,
): Promise<UnfinishedRestore | undefined> {
  const { rows } = await client.query(`select to_regclass('unfinished_restore') as found`)
  if (rows[0].found === null) return undefined
  const marks = await client.query<UnfinishedRestore>(
    'select run, is_loaded as "isLoaded" from unfinished_restore',
  )
  return marks.rows[0]
}

export async function startRestore(client: Client, run: string): Promise<void> {
  // One statement, hence one transaction: the table never exists without its row.
  await client.query(
    `create table unfinished_restore as select '${run}'::text as run, false as is_loaded`,
  )
}

/** Belongs to the transaction that loads the rows. */
export async function markLoaded(client: Client): Promise<void> {
  await client.query('update unfinished_restore set is_loaded = true')
}

export async function finishRestore(client: Client): Promise<void> {
  await client.query('drop table unfinished_restore')
}

/** A program on an incomplete installation would treat missing letters as deleted ones. */
export async function requireNoUnfinishedRestore(client: Client): Promise<void> {
  if (!(await findUnfinishedRestore(client))) return
  throw new StartError(
    'A restore into this database was cut: run it again with the same folder, it goes on from there.',
  )
}

/** Whether a program on any machine is connected to this database; commands connect under another name. */
export async function isProgramRunning(client: Pick<pg.ClientBase, 'query'>): Promise<boolean> {
  const { rows } = await client.query(
    `select from pg_stat_activity
     where datname = current_database() and application_name = 'revelations' limit 1`,
  )
  return rows.length > 0
}
