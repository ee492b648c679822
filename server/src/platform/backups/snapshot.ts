import { mkdir } from 'node:fs/promises'
import type pg from 'pg'
import { StartError } from '#server/platform/start-error.ts'
import { type Manifest, tablePath, tablesFolder } from './backup-folder.ts'
import { listBackupTables, listSequences, writeTable } from './backup-tables.ts'
import { readLogMark } from './log-mark.ts'

type Client = Pick<pg.ClientBase, 'query'>

/** All rows of one instant, and the files that they name. */
export type Snapshot = Pick<Manifest, 'run' | 'migrations' | 'tables' | 'sequences' | 'log'> & {
  named: NamedFile[]
}

/** Writes the tables as one transaction sees them: they are consistent whatever people do meanwhile. */
export async function writeSnapshot(
  client: pg.PoolClient,
  folder: string,
  run: string,
  signal: AbortSignal,
): Promise<Snapshot> {
  await mkdir(tablesFolder(folder, run), { recursive: true, mode: 0o700 })
  await client.query('begin isolation level repeatable read read only')
  try {
    const migrations = await listMigrations(client)
    const named = await listNamedFiles(client)
    const log = await readLogMark(client)
    const tables: Snapshot['tables'] = []
    for (const table of await listBackupTables(client)) {
      tables.push(await writeTable(client, table, tablePath(folder, run, table), signal))
    }
    // Sequences ignore transactions: read last, they are beyond every row.
    return { run, migrations, tables, named, log, sequences: await listSequences(client) }
  } finally {
    await client.query('rollback')
  }
}

/** The fingerprint of the master key that sealed this database. */
export async function readKeyFingerprint(client: Client): Promise<string> {
  const { rows } = await client.query<{ fingerprint: Buffer }>(
    'select fingerprint from master_keys',
  )
  if (!rows[0]) throw new StartError('This database is empty: start the program first.')
  return rows[0].fingerprint.toString('hex')
}

/** The migrations in the order of their application. */
export async function listMigrations(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'select name from kysely_migration order by name',
  )
  return rows.map(({ name }) => name)
}

/**
 * Every table with a `storage_key` column. `whileAbsent` is the condition under which the object may be missing: its row
 * is written before its bytes.
 */
export const FILE_COLUMNS: readonly { table: string; whileAbsent: string }[] = [
  {
    table: 'media_objects',
    whileAbsent: `exists (select from media where id = media_id and state = 'receiving')`,
  },
  { table: 'avatars', whileAbsent: 'false' },
  { table: 'upload_pieces', whileAbsent: 'false' },
]

export interface NamedFile {
  key: string
  /** Whether its bytes may not have arrived yet. */
  mayBeAbsent: boolean
}

/** Every object that rows name, as this connection sees them. */
export async function listNamedFiles(client: Client): Promise<NamedFile[]> {
  const { rows } = await client.query<NamedFile>(
    (await listFileColumns(client))
      .map(
        ({ table, whileAbsent }) =>
          `select storage_key as key, ${whileAbsent} as "mayBeAbsent" from ${table}`,
      )
      .join(' union all '),
  )
  return rows
}

/** The objects among `keys` that must exist. */
export async function listExpected(client: Client, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set()
  const { rows } = await client.query<{ key: string }>(
    (await listFileColumns(client))
      .map(
        ({ table, whileAbsent }) =>
          `select storage_key as key from ${table}
           where storage_key = any($1) and not ${whileAbsent}`,
      )
      .join(' union all '),
    [keys],
  )
  return new Set(rows.map(({ key }) => key))
}

/** The columns of this database, which may be older than this program before an upgrade. */
async function listFileColumns(client: Client): Promise<typeof FILE_COLUMNS> {
  const { rows } = await client.query<{ name: string }>(
    'select name from unnest($1::text[]) as name where to_regclass(name) is not null',
    [FILE_COLUMNS.map(({ table }) => table)],
  )
  return FILE_COLUMNS.filter(({ table }) => rows.some(({ name }) => name === table))
}
