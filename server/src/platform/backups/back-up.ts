import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { StartError } from '#server/platform/start-error.ts'
import { copyFile, forEachFile, sumOf } from '#server/platform/storage/copy-files.ts'
import { isSame } from '#server/platform/storage/hashing.ts'
import type { Storage } from '#server/platform/storage/storage.ts'
import { type BackupFolder, openBackupFolder, removeRest } from './backup-folder.ts'
import {
  type FileList,
  journalPath,
  noteCopied,
  readFileList,
  writeFileList,
} from './file-lists.ts'
import { listPath, type Manifest, tablePath, writeManifest } from './manifest.ts'
import { listExpected, listNamedFiles, type NamedFile } from './named-files.ts'
import { takeTurn } from './one-at-a-time.ts'
import { type Snapshot, writeSnapshot } from './snapshot.ts'
import { checkTable } from './table-files.ts'
import { refuseUnfinishedRestore } from './unfinished-restore.ts'

const SNAPSHOTS = 3

export interface BackupSource {
  pool: pg.Pool
  storage: Storage
  productVersion: string
}

export interface Report {
  /** A sentence for whoever waits. */
  say(sentence: string): void
  /** How far the files are. */
  count(done: number, total: number, bytes: number): void
  signal: AbortSignal
}

/** What a backup under way knows. */
interface Work extends Report {
  pool: pg.Pool
  storage: Storage
  folder: BackupFolder
  /** Objects the folder has, by the previous backup or by what this one copied. */
  had: FileList
  copied: FileList
}

/** Writes a backup and reads it back. Cut at any moment, it goes on when it is called again; until then what was stays. */
export async function backUp(
  source: BackupSource,
  target: string,
  report: Report,
): Promise<Manifest> {
  const { pool, storage } = source
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    await refuseUnfinishedRestore(client)
    await takeTurn(client)
    const keyFingerprint = await readFingerprint(client)
    const folder = await openBackupFolder(target, keyFingerprint)
    const work: Work = { ...report, pool, storage, folder, ...(await readLists(folder)) }
    const beganAt = new Date().toISOString()
    // Most of the files, before the snapshot: the shorter a snapshot is held, the less PostgreSQL must keep for it.
    await copyNamed(work, await listNamedFiles(client))
    const { snapshot, absent } = await writeUntilWhole(work, client)
    const kept = keptFiles(work, snapshot)
    const run = snapshot.run
    const list = await writeFileList(listPath(target, run), kept)
    await readBack(work, snapshot)
    const { migrations, tables, sequences } = snapshot
    const manifest: Manifest = {
      format: 1,
      productVersion: source.productVersion,
      run,
      beganAt,
      endedAt: new Date().toISOString(),
      keyFingerprint,
      migrations,
      tables,
      sequences,
      files: { count: kept.size, bytes: bytesOf(kept), list },
      ...absent,
    }
    await writeManifest(target, manifest)
    const removed = await removeRest(folder, run, kept)
    if (removed > 0) report.say(`${removed} files that nothing names any longer were removed.`)
    return manifest
  } finally {
    client.release(true)
  }
}

async function readFingerprint(client: pg.PoolClient): Promise<string> {
  const { rows } = await client.query<{ fingerprint: Buffer }>(
    'select fingerprint from master_keys',
  )
  if (!rows[0]) throw new StartError('This database is empty: start the program first.')
  return rows[0].fingerprint.toString('hex')
}

async function readLists({ path, previous }: BackupFolder) {
  const copied = await readFileList(journalPath(path))
  const had = previous ? await readFileList(listPath(path, previous.run)) : new Map()
  return { copied, had }
}

/** Copies what the folder does not have; the answer is what storage does not have either. */
async function copyNamed(work: Work, named: readonly NamedFile[]): Promise<string[]> {
  const { storage, folder, signal } = work
  const absent: string[] = []
  let [done, bytes] = [0, 0]
  await forEachFile(named, signal, async ({ key, mayBeAbsent }) => {
    if (!(await isThere(work, key))) {
      work.had.delete(key)
      const sum = await copyFile(storage, folder.files, key, { signal })
      if (sum) {
        await noteCopied(folder.path, key, sum)
        work.copied.set(key, sum)
        bytes += sum.sizeBytes
      } else if (!mayBeAbsent) absent.push(key)
    }
    done += 1
    work.count(done, named.length, bytes)
  })
  return absent
}

/** Objects never change: one of the right size that this backup or an earlier one read back is the same. */
async function isThere({ copied, had, folder }: Work, key: string): Promise<boolean> {
  const known = copied.get(key) ?? had.get(key)
  return known !== undefined && (await folder.files.size(key)) === known.sizeBytes
}

/**
 * A revelation deleted between the snapshot and the copy of its file would leave a letter without it: another snapshot
 * does not have that letter. What a living row names and storage does not have is another matter.
 */
async function writeUntilWhole(work: Work, client: pg.PoolClient) {
  for (let attempt = 1; ; attempt += 1) {
    const run = `${new Date().toISOString().replace(/[-:.]/g, '')}-${randomBytes(3).toString('hex')}`
    const snapshot = await writeSnapshot(client, work.folder.path, run, work.signal)
    const absent = await copyNamed(work, snapshot.named)
    const expected = await listExpected(work.pool, absent)
    const missing = absent.filter((key) => expected.has(key))
    const gone = absent.filter((key) => !expected.has(key))
    if (gone.length === 0 || attempt === SNAPSHOTS) return { snapshot, absent: { missing, gone } }
  }
}

function keptFiles({ copied, had }: Work, { named }: Snapshot): FileList {
  const kept: FileList = new Map()
  for (const { key } of named) {
    const sum = copied.get(key) ?? had.get(key)
    if (sum) kept.set(key, sum)
  }
  return kept
}

/** Reads again all that was written since the last finished backup, before it is called one. */
async function readBack({ folder, copied, say, signal }: Work, snapshot: Snapshot): Promise<void> {
  say(`Reading back ${snapshot.tables.length} tables and ${copied.size} new files.`)
  for (const table of snapshot.tables) {
    const problem = await checkTable(tablePath(folder.path, snapshot.run, table), table, signal)
    if (problem) throw new Error(`What was written for ${table.name} cannot be read: ${problem}`)
  }
  await forEachFile(copied, signal, async ([key, sum]) => {
    const read = await sumOf(folder.files, key, signal)
    if (read && isSame(read, sum)) return
    // It is copied again by the next backup.
    await folder.files.delete(key)
    throw new StartError(
      `${key} was not read back as it was written: is the disk sound? Start again.`,
    )
  })
}

function bytesOf(files: FileList): number {
  return [...files.values()].reduce((total, { sizeBytes }) => total + sizeBytes, 0)
}
