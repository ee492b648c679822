import type pg from 'pg'
import { listKnownMigrations, migrate } from '#server/platform/database/migrations.ts'
import { withoutIndexes } from '#server/platform/database/rebuild-indexes.ts'
import { startQueue } from '#server/platform/jobs/jobs.ts'
import type { Log } from '#server/platform/log.ts'
import { StartError } from '#server/platform/start-error.ts'
import {
  copyFile,
  FileAltered,
  forEachFile,
  isSameSum,
  sumOf,
} from '#server/platform/storage/copy-files.ts'
import type { ReadableStorage, Storage } from '#server/platform/storage/storage.ts'
import {
  type FileList,
  type Manifest,
  openBackupFiles,
  type Report,
  type TableFile,
  tablePath,
} from './backup-folder.ts'
import {
  findUnfinishedRestore,
  finishRestore,
  isProgramRunning,
  markLoaded,
  startRestore,
  withBackupLock,
} from './backup-lock.ts'
import { findAnyTable, listBackupTables, loadTable, nameOf } from './backup-tables.ts'
import { type CheckedBackup, checkTables } from './check-backup.ts'
import { listMigrations } from './snapshot.ts'

interface RestoreTarget {
  pool: pg.Pool
  storage: Storage
  log: Log
  /** The storage has the files of the backup already: the installation only moves to another database. */
  filesInPlace: boolean
  /** Restores without the files that are damaged in the backup. */
  despiteDamage: boolean
}

/** A backup that this version can restore, read to its end except for its files. */
export async function openBackup(folder: string, report: Report): Promise<CheckedBackup> {
  const backup = await checkTables(folder, report)
  if (backup.problems.length > 0) {
    throw new StartError(`This backup is damaged: ${backup.problems.join(' ')}`)
  }
  await requireKnownMigrations(backup.manifest)
  return backup
}

/** Restores into an empty installation. An interrupted restore continues at the next call; no program starts until then. */
export function restore(
  folder: string,
  { manifest, files }: CheckedBackup,
  { pool, storage, log, filesInPlace, despiteDamage }: RestoreTarget,
  report: Report,
): Promise<{ copied: number; damaged: string[] }> {
  return withBackupLock(pool, async () => {
    const isContinued = await requireFreeDatabase(pool, manifest)
    await requireFreeStorage(storage, files, { inPlace: isContinued || filesInPlace })
    // Not earlier: with this mark existing files count as those of the restore.
    if (!isContinued) await startRestore(pool, manifest.run)
    const restored = await restoreFiles(openBackupFiles(folder), storage, files, report)
    if (restored.damaged.length > 0 && !despiteDamage) throw damagedFiles(restored.damaged)
    report.print('The files are in their place; now the tables.')
    const absent = [...manifest.missing, ...manifest.gone, ...restored.damaged]
    await restoreDatabase({ pool, folder, manifest, absent, log, signal: report.signal })
    return restored
  })
}

function damagedFiles(keys: readonly string[]): StartError {
  const shown = keys.slice(0, 5).join(', ')
  return new StartError(
    `${keys.length} files of this backup are damaged or absent (${shown}${keys.length > 5 ? '…' : ''}): bring a whole copy of it, or restore without them by --despite-damage.`,
  )
}

/**
 * Refuses a storage that is not empty: another installation may use it, and each would delete the files of the other.
 * With `inPlace` it may contain files of this backup, never others: the program would sweep them.
 */
async function requireFreeStorage(
  storage: ReadableStorage,
  files: FileList,
  { inPlace }: { inPlace: boolean },
): Promise<void> {
  for await (const { key } of storage.list('')) {
    if (!inPlace) {
      throw new StartError(
        `The place for files is not empty (it has ${key}): choose an empty DATA_DIR or bucket, or say --files-in-place if you move an installation that will never start again as it was.`,
      )
    }
    if (files.has(key)) continue
    throw new StartError(
      `The place for files holds some that are not of this backup (${key}) and would be deleted: choose an empty DATA_DIR or bucket.`,
    )
  }
}

/** Copies every file and reads it back; existing files are only read. */
async function restoreFiles(
  source: ReadableStorage,
  target: Storage,
  files: FileList,
  { count, signal }: Report,
): Promise<{ copied: number; damaged: string[] }> {
  const damaged: string[] = []
  let [done, copied, bytes] = [0, 0, 0]
  await forEachFile(files, signal, async ([key, expected]) => {
    if (!(await isThere(key))) {
      const sum = await copyFile(source, target, key, { signal, expected }).catch((error) => {
        if (error instanceof FileAltered) return undefined
        throw error
      })
      if (!sum) damaged.push(key)
      else if (await isThere(key)) copied += 1
      else throw new StartError(`${key} was not read back as it was written: start again.`)
    }
    done += 1
    bytes += expected.sizeBytes
    count(done, files.size, bytes)
    async function isThere(key: string): Promise<boolean> {
      if ((await target.size(key)) !== expected.sizeBytes) return false
      const sum = await sumOf(target, key, signal)
      return sum !== undefined && isSameSum(sum, expected)
    }
  })
  return { copied, damaged }
}

/** The database into which a backup is restored. */
interface Target {
  pool: pg.Pool
  folder: string
  manifest: Manifest
  /** Files that rows of the backup name and that could not be restored. */
  absent: readonly string[]
  log: Log
  signal: AbortSignal
}

/** Refuses a backup of a newer version. */
async function requireKnownMigrations({ migrations, productVersion }: Manifest) {
  const known = await listKnownMigrations()
  const unknown = migrations.find((name) => !known.includes(name))
  if (unknown === undefined) return
  throw new StartError(
    `This backup was made by a newer version of this program (${productVersion}, it knows ${unknown}): restore it with that version.`,
  )
}

/** Refuses a database that is not empty, or that a program uses. True when it contains an interrupted restore of this backup. */
async function requireFreeDatabase(pool: pg.Pool, { run }: Manifest): Promise<boolean> {
  if (await isProgramRunning(pool)) {
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

/** Creates the tables of the backup, fills them in one transaction, and applies the newer migrations. */
async function restoreDatabase(target: Target): Promise<void> {
  const { pool, manifest } = target
  const unfinished = await findUnfinishedRestore(pool)
  if (!unfinished?.isLoaded) {
    await createTables(target)
    await load(target)
  }
  await migrate(pool)
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    // Without statistics PostgreSQL would plan badly for the first hours.
    await client.query('vacuum analyze')
    await finishRestore(client)
  } finally {
    client.release(true)
  }
  target.log.info({ run: manifest.run }, 'the database is restored')
}

async function createTables({ pool, manifest, log }: Target): Promise<void> {
  await migrate(pool, { until: manifest.migrations.at(-1) })
  const applied = await listMigrations(pool)
  if (applied.join() !== manifest.migrations.join()) {
    throw new StartError(
      'The migrations of this version are not those of the backup: restore it with the version that made it.',
    )
  }
  const boss = await startQueue(pool, [], { runsJobs: false, log })
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
    // The backup contains the rows of migrations too.
    await client.query(`truncate ${names.join(', ')} cascade`)
    const own = names.filter((name) => name.startsWith('public.'))
    // The backup contains the counts of triggers too. Foreign keys are still checked: they are no user triggers.
    for (const name of own) await client.query(`alter table ${name} disable trigger user`)
    await withoutIndexes(client, own, async () => {
      await loadTables(client, target)
      await markUnsearchable(client)
    })
    for (const name of own) await client.query(`alter table ${name} enable trigger user`)
    await removeCutUploads(client, target.absent)
    for (const { schema, name, value } of manifest.sequences) {
      await client.query('select setval($1::regclass, $2::bigint)', [`${schema}.${name}`, value])
    }
    // The workers of these jobs no longer exist: other workers run the jobs again.
    await client.query(
      `update pgboss.job set state = 'retry', start_after = now() where state = 'active'`,
    )
    await markLoaded(client)
    await client.query('commit')
  } finally {
    // Without the commit, nothing was written.
    client.release(true)
  }
}

/** The words of public letters are in no backup: the worker makes them searchable again. */
async function markUnsearchable(client: pg.PoolClient): Promise<void> {
  await client.query(
    `update revelations set searchable = false
     where searchable and not exists (select from letter_grams where revelation_id = id)`,
  )
}

/** An upload without one of its pieces could never be finished: its sender starts again. */
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

/** Each table after those that its rows refer to in this database. */
async function inOrder(client: pg.PoolClient, files: readonly TableFile[]): Promise<TableFile[]> {
  const byName = new Map(files.map((file) => [nameOf(file), file]))
  return (await listBackupTables(client)).flatMap((table) => byName.get(nameOf(table)) ?? [])
}

/** The queue's tables are always those of its newest version. */
async function requireColumns(client: pg.PoolClient, files: readonly TableFile[]): Promise<void> {
  const tables = new Map((await listBackupTables(client)).map((table) => [nameOf(table), table]))
  for (const file of files) {
    const columns = tables.get(nameOf(file))?.columns ?? []
    const lost = file.columns.find((column) => !columns.includes(column))
    if (lost === undefined) continue
    throw new StartError(
      `This version has no ${nameOf(file)}.${lost}, which the backup has: restore it with the version that made it, then upgrade.`,
    )
  }
}
