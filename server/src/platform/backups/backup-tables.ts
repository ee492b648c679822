import { createReadStream, createWriteStream } from 'node:fs'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import type pg from 'pg'
import { from, to } from 'pg-copy-streams'
import { createSum, discard, isSameSum } from '#server/platform/storage/copy-files.ts'
import type { TableFile } from './backup-folder.ts'

/** A table that backups contain. */
export interface BackupTable {
  schema: string
  name: string
  /** Without the columns that PostgreSQL generates. */
  columns: string[]
}

type Client = Pick<pg.ClientBase, 'query'>

const SCHEMAS = ['public', 'pgboss']

/** The tables that backups omit, with the reason. A table of a later migration is part of the next backup. */
export const EXCLUDED_TABLES: Readonly<Record<string, string>> = {
  'public.kysely_migration': 'made again by the migrations, which the manifest names',
  'public.kysely_migration_lock': 'made again by the migrations',
  'public.rate_counts': 'calls of the last minutes; unlogged, so that a crash forgets it too',
  'public.password_tries':
    'tries of passwords in the last minutes; unlogged, so that a crash forgets it too',
  'public.waiting_readers':
    'who has a sealed page before them in this minute; unlogged, so that a crash forgets it too',
  'public.slow_domains': 'how fast domains take mails in this hour; they say so again',
  'public.public_changes':
    'what changed in the last minutes, by the numbers of this server’s transactions',
  'public.public_letters':
    'the words of open pages, which the worker writes again: no letter lies readable in a backup',
  'public.leases': 'which process is at work at this moment',
  'pgboss.version': 'made again by the queue, with the moments of its own upkeep',
  'pgboss.bam': 'the queue’s changes to its own tables, made again with them',
  'pgboss.job_dependency': 'no job waits for another here',
  'pgboss.queue_stats': 'figures of the last days, for a dashboard',
  'pgboss.schedule': 'the queue’s own schedules, which are not used',
  'pgboss.subscription': 'the queue’s own events, which are not used',
  'pgboss.warning': 'what the queue warned of, for a dashboard',
}

/** Finished jobs stay in the table for a day without any use. */
const ROWS_OF_TABLE: Readonly<Record<string, string>> = {
  'pgboss.job': `where state < 'completed'`,
}

/** The tables of a backup, each after the tables that its rows refer to. */
export async function listBackupTables(client: Client): Promise<BackupTable[]> {
  const { rows } = await client.query<BackupTable & { refersTo: string[] }>(
    `select nspname as schema, relname as name,
       array(
         select attname::text from pg_attribute
         where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = ''
         order by attnum
       ) as columns,
       array(
         select r.relnamespace::regnamespace || '.' || r.relname
         from pg_constraint join pg_class r on r.oid = confrelid
         where contype = 'f' and conrelid = c.oid and confrelid <> c.oid
       ) as "refersTo"
     from pg_class c join pg_namespace n on n.oid = relnamespace
     where relkind in ('r', 'p') and not relispartition and nspname = any($1)
     order by nspname, relname`,
    [SCHEMAS],
  )
  const included = rows.filter((table) => !(nameOf(table) in EXCLUDED_TABLES))
  return inOrder(included).map(({ schema, name, columns }) => ({ schema, name, columns }))
}

function inOrder<T extends BackupTable & { refersTo: string[] }>(tables: readonly T[]): T[] {
  const ordered: T[] = []
  const orderedNames = new Set<string>()
  let waiting = [...tables]
  while (waiting.length > 0) {
    const names = new Set(waiting.map(nameOf))
    const next = waiting.filter((table) => !table.refersTo.some((other) => names.has(other)))
    if (next.length === 0) throw new Error(`Tables refer to each other: ${[...names].join(', ')}`)
    for (const table of next) {
      ordered.push(table)
      orderedNames.add(nameOf(table))
    }
    waiting = waiting.filter((table) => !orderedNames.has(nameOf(table)))
  }
  return ordered
}

export function nameOf({ schema, name }: { schema: string; name: string }): string {
  return `${schema}.${name}`
}

/** `"id", "name"`: a column may have the name of a keyword. */
function columnsOf({ columns }: BackupTable): string {
  return columns.map((column) => `"${column}"`).join(', ')
}

function copyOut(table: BackupTable): string {
  const rows = ROWS_OF_TABLE[nameOf(table)] ?? ''
  return `copy (select ${columnsOf(table)} from ${nameOf(table)} ${rows}) to stdout`
}

function copyIn(table: BackupTable): string {
  return `copy ${nameOf(table)} (${columnsOf(table)}) from stdin`
}

/** The value of each sequence, as text: some are too large for a number in JSON. */
export async function listSequences(client: Client) {
  const { rows } = await client.query<{ schema: string; name: string; value: string }>(
    `select schemaname as schema, sequencename as name, last_value::text as value
     from pg_sequences where schemaname = any($1) and last_value is not null
     order by schemaname, sequencename`,
    [SCHEMAS],
  )
  return rows
}

/** The name of a table in this database, if it has any. */
export async function findAnyTable(client: Client): Promise<string | undefined> {
  const { rows } = await client.query<{ name: string }>(
    `select schemaname || '.' || tablename as name from pg_tables
     where schemaname = any($1) order by schemaname desc, tablename limit 1`,
    [SCHEMAS],
  )
  return rows[0]?.name
}

const LINE_FEED = 10

/** Writes the rows of a table in the format of COPY to a file, which is durable once this resolves. */
export async function writeTable(
  client: pg.PoolClient,
  table: BackupTable,
  file: string,
  signal: AbortSignal,
): Promise<TableFile> {
  const rows = client.query(to(copyOut(table)))
  const { through, sum } = createSum()
  await pipeline(
    rows,
    createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } }),
    through,
    createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }),
    { signal },
  )
  const { schema, name, columns } = table
  return { schema, name, columns, rows: rows.rowCount, ...sum() }
}

/** Reads the file of a table to its end and counts its rows; returns why it cannot be used, or undefined. */
export async function checkTable(
  file: string,
  table: TableFile,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { through, sum } = createSum()
  let rows = 0
  // COPY writes a line feed at the end of each row, and nowhere else.
  const counting = new Transform({
    transform(piece: Buffer, _encoding, done) {
      for (let at = piece.indexOf(LINE_FEED); at >= 0; at = piece.indexOf(LINE_FEED, at + 1)) {
        rows += 1
      }
      done()
    },
  })
  const read = createReadStream(file)
  try {
    await pipeline(read, through, createZstdDecompress(), counting, discard(), { signal })
  } catch (error) {
    signal.throwIfAborted()
    return `it cannot be read (${(error as NodeJS.ErrnoException).code ?? 'altered'})`
  }
  if (!isSameSum(sum(), table)) return 'it was altered'
  return rows === table.rows ? undefined : `it has ${rows} rows instead of ${table.rows}`
}

/** Copies the rows of a file into a table; throws if the file has changed since it was written. */
export async function loadTable(
  client: pg.PoolClient,
  table: TableFile,
  file: string,
  signal: AbortSignal,
): Promise<void> {
  const { through, sum } = createSum()
  const target = client.query(from(copyIn(table)))
  await pipeline(createReadStream(file), through, createZstdDecompress(), target, { signal })
  if (!isSameSum(sum(), table) || target.rowCount !== table.rows) {
    throw new Error(`${file} changed while it was read`)
  }
}
