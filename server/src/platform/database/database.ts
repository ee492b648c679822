import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Log } from '#server/platform/log.ts'
import { PreparingClient } from './prepared.ts'
import type { Tables } from './tables.ts'

/** The database, or one transaction of it: `Transaction<Tables>` is a `Kysely<Tables>`. */
export type Db = Kysely<Tables>

export interface Database {
  pool: pg.Pool
  db: Db
  close(): Promise<void>
}

/** How long to wait, in milliseconds: for the end of a statement, for a free connection. */
export type DatabasePatience = Pick<pg.PoolConfig, 'statement_timeout' | 'connectionTimeoutMillis'>

const PATIENCE: DatabasePatience = { statement_timeout: 30_000, connectionTimeoutMillis: 10_000 }
const MAX_CONNECTIONS = 16

function readBigint(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint beyond 2^53: ${text}`)
  return value
}

// A date column is a day, not an instant: as a Date it would move with the time zone of the machine.
const readers = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT8, readBigint],
  [pg.types.builtins.DATE, (text) => text],
])

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    (format !== 'binary' && readers.get(oid)) || pg.types.getTypeParser(oid, format),
}

/** Opens the pool; nothing is connected yet. PostgreSQL may restart under it: later queries connect again. */
export function openDatabase(connection: pg.PoolConfig, log: Pick<Log, 'warn'>): Database {
  const pool = new pg.Pool({
    application_name: 'revelations',
    Client: PreparingClient,
    max: MAX_CONNECTIONS,
    ...PATIENCE,
    types,
    ...connection,
  })
  // Without a listener, the end of an idle connection would end the program. A pool that is closing says so
  // itself: PostgreSQL may end its last connections before they have said goodbye.
  pool.on('error', (error) => {
    if (!pool.ending) log.warn({ error: error.message }, 'an idle database connection ended')
  })
  // Nor may the end of one that waits within a transaction (a mail is on its way): the next query of it says so.
  pool.on('connect', (client) => {
    client.on('error', () => undefined)
  })
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    // Keys inside JSON columns are data, not column names.
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
  // Kysely's own destroy() leaves the pool open when no query went through it.
  return { pool, db, close: () => pool.end() }
}
