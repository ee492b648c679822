import type pg from 'pg'
import {
  listKnownMigrations,
  MIGRATIONS_FOLDER,
  migrate,
} from '#server/platform/database/migrations.ts'
import { withoutIndexes } from '#server/platform/database/rebuild-indexes.ts'
import { startQueue } from '#server/platform/jobs/jobs.ts'
import type { Log } from '#server/platform/log.ts'
import { StartError } from '#server/platform/start-error.ts'
import { findAnyTable, listKeptTables, nameOf } from './kept-tables.ts'
import { type Manifest, type TableFile, tablePath } from './manifest.ts'
import { isProgramOn } from './running-program.ts'
import { listMigrations } from './snapshot.ts'
import { loadTable } from './table-files.ts'
import { endRestore, findUnfinishedRestore, noteLoaded } from './unfinished-restore.ts'

/** A database with a backup’s rows in it, or on the way there. */
interface Target {
  pool: pg.Pool
  folder: string
  manifest: Manifest
  /** Files that rows of the backup name and that are not restored. */
  absent: readonly string[]
  log: Log
  signal: AbortSignal
}

/** Refuses a backup that a newer version wrote. */
export async function requireKnownMigrations({ migrations, productVersion }: Manifest) {
  const known = await listKnownMigrations()
  const unknown = migrations.find((name) => !known.includes(name))
  if (unknown === undefined) return
  throw new StartError(
    `This backup was made by a newer version of this program (${productVersion}, it knows ${unknown}): restore it with that version.`,
  )
}

/** Refuses a database that holds anything, or that a program uses. True when it holds the restore of this backup that was cut. */
export async function requireFreeDatabase(pool: pg.Pool, { run }: Manifest): Promise<boolean> {
  if (await isProgramOn(pool)) {
    throw new StartError('A program runs on this database: stop it, and restore into an empty one.')
  }
  const unfinished = await findUnfinishedRestore(pool)
  if (unfinished?.run === run) return true
  const table = await findAnyTable(pool)
  if (table === undefined) return false
  throw new StartError(
    unfinished
      ? 'The restore of another backup into this database was cut: go on with that one, or begin with an empty database.'
      : `This database is not empty (it has ${table}): a restore needs an empty one, and nothing was changed.`,
  )
}

/** Makes the tables as they were, fills them in one transaction, and brings them to the newest migration. */
export async function restoreDatabase(target: Target): Promise<void> {
  const { pool, manifest } = target
  const unfinished = await findUnfinishedRestore(pool)
  if (!unfinished?.isLoaded) {
    await makeTables(target)
    await load(target)
  }
  await migrate(pool)
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    // Without figures of its tables PostgreSQL would plan the first hours blindly.
    await client.query('vacuum analyze')
    await endRestore(client)
  } finally {
    client.release(true)
  }
  target.log.info({ run: manifest.run }, 'the database is restored')
}

async function makeTables({ pool, manifest, log }: Target): Promise<void> {
  await migrate(pool, MIGRATIONS_FOLDER, manifest.migrations.at(-1))
  const applied = await listMigrations(pool)
  if (applied.join() !== manifest.migrations.join()) {
    throw new StartError(
      'The migrations of this version are not those of the backup: restore it with the version that made it.',
    )
  }
  const boss = await startQueue(pool, [], { supervise: false, log })
  await boss.stop({ graceful: false })
}

async function load(target: Target): Promise<void> {
  const { pool, manifest } = target
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    await client.query('begin')
    await requireColumns(client, manifest.tables)
    const names = manifest.tables.map(nameOf)
    // What migrations wrote is in the backup too.
    await client.query(`truncate ${names.join(', ')} cascade`)
    const own = names.filter((name) => name.startsWith('public.'))
    // What triggers count is a table, too. The checks of foreign keys are no triggers of ours and go on.
    for (const name of own) await client.query(`alter table ${name} disable trigger user`)
    await withoutIndexes(client, own, () => loadTables(client, target))
    for (const name of own) await client.query(`alter table ${name} enable trigger user`)
    await removeCutUploads(client, target.absent)
    for (const { schema, name, value } of manifest.sequences) {
      await client.query('select setval($1::regclass, $2::bigint)', [`${schema}.${name}`, value])
    }
    // Whoever was at work is not here: their jobs are taken up by whoever is.
    await client.query(
      `update pgboss.job set state = 'retry', start_after = now() where state = 'active'`,
    )
    await noteLoaded(client)
    await client.query('commit')
  } finally {
    // Not committed, it is as if nothing had been written.
    client.release(true)
  }
}

/** An upload that lacks a piece could never become a file: its sender begins it anew. */
async function removeCutUploads(client: pg.PoolClient, absent: readonly string[]): Promise<void> {
  const { rows } = await client.query(`select to_regclass('upload_pieces') as found`)
  if (rows[0].found === null) return
  await client.query(
    `delete from uploads where id in
       (select upload_id from upload_pieces where storage_key = any($1))`,
    [absent],
  )
}

async function loadTables(client: pg.PoolClient, target: Target): Promise<void> {
  const { folder, manifest, signal } = target
  for (const table of await inOrder(client, manifest.tables)) {
    await loadTable(client, table, tablePath(folder, manifest.run, table), signal)
  }
}

/** Each after those its rows refer to, in this database. */
async function inOrder(client: pg.PoolClient, files: readonly TableFile[]): Promise<TableFile[]> {
  const byName = new Map(files.map((file) => [nameOf(file), file]))
  return (await listKeptTables(client)).flatMap((table) => byName.get(nameOf(table)) ?? [])
}

/** The queue makes its own tables, always of its newest version. */
async function requireColumns(client: pg.PoolClient, files: readonly TableFile[]): Promise<void> {
  const tables = new Map((await listKeptTables(client)).map((table) => [nameOf(table), table]))
  for (const file of files) {
    const columns = tables.get(nameOf(file))?.columns ?? []
    const lost = file.columns.find((column) => !columns.includes(column))
    if (lost === undefined) continue
    throw new StartError(
      `This version has no ${nameOf(file)}.${lost}, which the backup has: restore it with the version that made it, then upgrade.`,
    )
  }
}
