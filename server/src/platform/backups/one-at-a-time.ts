import type pg from 'pg'
import { StartError } from '#server/platform/start-error.ts'

const LOCK = 20_271_232

/**
 * Does this work while no other backup or restore of the database is under way. The lock is held by the connection that
 * the work is given, and is let go of with it, even by a kill. Throws a `StartError` while another holds it.
 */
export async function inTurn<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  try {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as taken', [LOCK])
    if (!rows[0].taken) {
      throw new StartError(
        'Another backup or restore of this database is under way: let it end first.',
      )
    }
    const result = await work(client)
    // PostgreSQL notices only later that a connection was closed, and the next one may begin at once.
    await client.query('select pg_advisory_unlock($1)', [LOCK])
    return result
  } finally {
    client.release(true)
  }
}
