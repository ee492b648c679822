import { setImmediate } from 'node:timers/promises'
import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Log } from '#server/platform/log.ts'
import type { Db, Searches } from './db.ts'
import { PreparingClient } from './preparing-client.ts'
import { openSharedReads, shareReads } from './shared-reads.ts'
import type { Tables } from './tables.ts'

export interface Database {
  pool: pg.Pool
  db: Db
  close(): Promise<void>
}

/** How long to wait, in milliseconds, for the end of a statement and for a free connection. */
export type DatabasePatience = Pick<pg.PoolConfig, 'statement_timeout' | 'connectionTimeoutMillis'>

const PATIENCE: DatabasePatience = { statement_timeout: 30_000, connectionTimeoutMillis: 10_000 }
/** With those of searches, of shared reads and of the listener, docs/scaling.md says how many a program has. */
const MAX_CONNECTIONS = 14

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

/**
 * Opens the pool; nothing is connected yet. PostgreSQL may restart under it: later queries connect again. With `sharesReads`,
 * statements that end with `PREPARED_READ` share connections, unless they are made in a transaction; `onConnect` is not for those.
 */
export function openDatabase(
  connection: pg.PoolConfig,
  log: Pick<Log, 'warn'>,
  { sharesReads = false } = {},
): Database {
  const settings = { application_name: 'revelations', ...PATIENCE, types, ...connection }
  const pool = new pg.Pool({ Client: PreparingClient, max: MAX_CONNECTIONS, ...settings })
  // Without a listener, the end of an idle connection would end the program. While the pool closes, PostgreSQL may end
  // the last connections first: that is no news.
  pool.on('error', (error) => {
    if (!pool.ending) log.warn({ error: error.message }, 'a database connection ended')
  })
  // Nor may the end of a connection that waits within a transaction end the program: its next query reports it.
  pool.on('connect', (client) => {
    client.on('error', () => undefined)
  })
  // Whoever must know of lost connections listens to the pool.
  const reads = sharesReads
    ? openSharedReads(settings, (error, client) => pool.emit('error', error, client))
    : undefined
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: reads ? shareReads(pool, reads) : pool }),
    // Keys inside JSON columns are data, not column names.
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
  // Kysely's own destroy() leaves the pool open when no query went through it.
  const close = async () => {
    await Promise.all([reads?.close(), pool.end()])
  }
  return { pool, db, close }
}

/** Of each of the two kinds; other requests never wait for searches to end. */
const MAX_SEARCH_CONNECTIONS = 3

/** How PostgreSQL lists the connections that plan with bitmaps of indexes alone, and what they leave out. */
export const BITMAPS_APPLICATION = 'revelations searches by bitmaps'
export const BITMAPS_WITHOUT = ['enable_seqscan', 'enable_indexscan', 'enable_indexonlyscan']

/**
 * Connections for searches, whose statements end after `timeoutMs`. PostgreSQL cannot estimate how many rows have a phrase, and a
 * plan that expects one early reads everything when it is rare: `bitmaps` are connections that plan with bitmaps of indexes alone.
 */
export function openSearches(
  connection: pg.PoolConfig,
  timeoutMs: number,
  log: Pick<Log, 'warn'>,
): Searches & { close(): Promise<void> } {
  const settings = {
    ...connection,
    statement_timeout: timeoutMs,
    // For those that others make, and its own.
    connectionTimeoutMillis: 2 * timeoutMs,
    max: MAX_SEARCH_CONNECTIONS,
  }
  const openKind = (application_name: string, without: readonly string[]) => {
    // What another process of PostgreSQL, or a compiler, would save is less than their start takes.
    const off = [...without, 'jit'].map((setting) => `set ${setting} = off`)
    const statements = [...off, 'set max_parallel_workers_per_gather = 0'].join(';')
    const onConnect = (client: pg.ClientBase) => client.query(statements)
    return openDatabase({ ...settings, application_name, onConnect }, log)
  }
  const asUsual = openKind('revelations searches', [])
  const byBitmaps = openKind(BITMAPS_APPLICATION, BITMAPS_WITHOUT)
  const close = async () => {
    await Promise.all([asUsual.close(), byBitmaps.close()])
  }
  return { db: asUsual.db, bitmaps: byBitmaps.db, close }
}

/**
 * What `load` loads after the call. Concurrent callers share one load, but never one that began before their call. A turn of the
 * event loop passes before each: the quicker an answer is, the fewer would wait for the next.
 */
export function shareLoads<T>(load: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> | undefined
  let next: Promise<T> | undefined

  async function startNext(): Promise<T> {
    await running
    await setImmediate()
    next = undefined
    const loading = load()
    running = loading.catch(() => undefined)
    return loading
  }

  return () => {
    next ??= startNext()
    return next
  }
}
