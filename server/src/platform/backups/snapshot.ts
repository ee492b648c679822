import { mkdir } from 'node:fs/promises'
import type pg from 'pg'
import { listKeptTables, listSequences } from './kept-tables.ts'
import { type Manifest, tablePath, tablesFolder } from './manifest.ts'
import { listNamedFiles, type NamedFile } from './named-files.ts'
import { writeTable } from './table-files.ts'

/** All rows of one instant, and the files they name. */
export type Snapshot = Pick<Manifest, 'run' | 'migrations' | 'tables' | 'sequences'> & {
  named: NamedFile[]
}

/** Writes the tables as one transaction sees them: whatever people do meanwhile, they agree with each other. */
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
    const tables: Snapshot['tables'] = []
    for (const table of await listKeptTables(client)) {
      tables.push(await writeTable(client, table, tablePath(folder, run, table), signal))
    }
    // Sequences are in no transaction: read last, they are beyond every row.
    return { run, migrations, tables, named, sequences: await listSequences(client) }
  } finally {
    await client.query('rollback')
  }
}

/** In the order in which they were applied. */
export async function listMigrations(client: Pick<pg.ClientBase, 'query'>): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'select name from kysely_migration order by name',
  )
  return rows.map(({ name }) => name)
}
