import type pg from 'pg'
import { StartError } from '#server/platform/start-error.ts'

const LOCK = 20_271_232

/** One backup or restore of a database at a time: held by this connection, and let go of with it, even by a kill. */
export async function takeTurn(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query('select pg_try_advisory_lock($1) as taken', [LOCK])
  if (rows[0].taken) return
  throw new StartError('Another backup or restore of this database is under way: let it end first.')
}
