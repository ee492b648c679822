import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { StartError } from '#server/platform/start-error.ts'
import {
  copyFile,
  FileAltered,
  forEachFile,
  isSameSum,
  type Sum,
  sumOf,
} from '#server/platform/storage/copy-files.ts'
import type { Storage } from '#server/platform/storage/storage.ts'
import {
  appendCopied,
  type BackupFolder,
  deleteUnnamed,
  type FileList,
  journalPath,
  listPath,
  type Manifest,
  openBackupFolder,
  type Report,
  readFileList,
  tablePath,
  writeFileList,
  writeManifest,
} from './backup-folder.ts'
import { requireNoUnfinishedRestore, withBackupLock } from './backup-lock.ts'
import { checkTable } from './backup-tables.ts'
import { checkTables, problemOf } from './check-backup.ts'
import type { LogMark } from './log-mark.ts'
import {
  listExpected,
  listNamedFiles,
  type NamedFile,
  readKeyFingerprint,
  type Snapshot,
  writeSnapshot,
} from './snapshot.ts'

const SNAPSHOTS = 3

const A_DAY_MS = 24 * 3_600_000
/** Daily backups read each file again within so many days. */
const READ_WITHIN_DAYS = 7

export interface BackupSource {
  pool: pg.Pool
  storage: Storage
  productVersion: string
  /** Reads every file of earlier backups again, instead of a share. */
  readsAll?: boolean
  /** Throws unless the log in the database continues that of the backup before. */
  requireContinued?(previous: LogMark, madeAt: string): Promise<void>
}

/** The state of a running backup. */
interface Work extends Report {
  pool: pg.Pool
  storage: Storage
  folder: BackupFolder
  /** Objects in the folder by the previous backup, and those that this backup copied. */
  had: FileList
  copied: FileList
  /** Objects of earlier backups that have changed, with the reason; copied again as they were. */
  damaged: Map<string, { expected: Sum; problem: string }>
}

/** Writes a backup and reads it back. An interrupted backup continues at the next call; the previous one stays until then. */
export function createBackup(
  source: BackupSource,
  target: string,
  report: Report,
): Promise<Manifest> {
  return withBackupLock(source.pool, (client) => backUpWith(client, source, target, report))
}

async function backUpWith(
  client: pg.PoolClient,
  source: BackupSource,
  target: string,
  report: Report,
): Promise<Manifest> {
  const { pool, storage } = source
  await client.query('set statement_timeout = 0')
  await requireNoUnfinishedRestore(client)
  const keyFingerprint = await readKeyFingerprint(client)
  const folder = await openBackupFolder(target, keyFingerprint)
  const { previous } = folder
  if (previous?.log) await source.requireContinued?.(previous.log, previous.endedAt)
  const earlier = await readEarlier(folder, report)
  const work: Work = { ...report, pool, storage, folder, ...earlier, damaged: new Map() }
  const written = new Set([...work.had.keys(), ...work.copied.keys()])
  const beganAt = new Date().toISOString()
  const named = await listNamedFiles(client)
  const days = source.readsAll ? READ_WITHIN_DAYS : daysSince(folder.previous)
  const readAgain = await readShare(work, named, days)
  // Most files are copied before the snapshot: a short snapshot lets PostgreSQL clean up sooner.
  await copyNamed(work, named)
  const { snapshot, absent } = await writeUntilWhole(work, client)
  const run = snapshot.run
  await readBack(work, snapshot)
  const backedUp = listBackupFiles(work, snapshot)
  const list = await writeFileList(listPath(target, run), backedUp)
  const { migrations, tables, sequences, log } = snapshot
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
    log,
    files: { count: backedUp.size, bytes: bytesOf(backedUp), list },
    ...absent,
  }
  await writeManifest(target, manifest)
  printRemoved(work, await deleteUnnamed(folder, run, backedUp), written)
  printDamaged(work)
  report.print(formatSummary(backedUp, { copied: work.copied.size, readAgain }))
  return manifest
}

/** The files in the folder; an altered list or manifest does not count. */
async function readEarlier({ path, previous, isAltered }: BackupFolder, report: Report) {
  const copied = await readFileList(journalPath(path))
  if (isAltered) {
    report.print('manifest.json was altered: everything is copied again, and written down anew.')
  }
  if (!previous) return { copied, had: new Map() }
  const { files, isListWhole, problems } = await checkTables(path, report)
  for (const problem of problems) report.print(`Of the backup before: ${problem}`)
  if (!isListWhole) report.print('Without that list everything is copied again.')
  return { copied, had: isListWhole ? files : new Map() }
}

/** The share of earlier files to read again, in days: at least one, and all after a week without a backup. */
function daysSince(previous: Manifest | undefined): number {
  const sinceMs = previous ? Date.now() - Date.parse(previous.endedAt) : 0
  return Math.min(READ_WITHIN_DAYS, Math.max(1, sinceMs / A_DAY_MS))
}

/**
 * Reads a share of the earlier files again, the longest unread first, because disks lose data silently. Returns how many
 * are unaltered; the others are copied again.
 */
async function readShare(work: Work, named: readonly NamedFile[], days: number): Promise<number> {
  const { had, folder, signal } = work
  const keys = new Set(named.map(({ key }) => key))
  const oldest = [...had].filter(([key]) => keys.has(key))
  oldest.sort(([, one], [, other]) => ((one.readAt ?? '') < (other.readAt ?? '') ? -1 : 1))
  const share = oldest.slice(0, Math.ceil((oldest.length * days) / READ_WITHIN_DAYS))
  let [done, bytes] = [0, 0]
  await forEachFile(share, signal, async ([key, expected]) => {
    const problem = problemOf(await sumOf(folder.files, key, signal), expected)
    if (problem) markDamaged(work, key, problem)
    else had.set(key, { ...expected, readAt: new Date().toISOString() })
    done += 1
    bytes += expected.sizeBytes
    work.count(done, share.length, bytes)
  })
  return share.filter(([key]) => had.has(key)).length
}

/** Marks a file of an earlier backup as damaged. */
function markDamaged({ had, damaged }: Work, key: string, problem: string): void {
  const expected = had.get(key)
  if (expected) damaged.set(key, { expected, problem })
  had.delete(key)
}

/** Copies the files that the folder lacks; returns the keys that the storage lacks too. */
async function copyNamed(work: Work, named: readonly NamedFile[]): Promise<string[]> {
  const { folder, signal } = work
  const absent: string[] = []
  let [done, bytes] = [0, 0]
  await forEachFile(named, signal, async ({ key, mayBeAbsent }) => {
    if (!(await isThere(work, key))) {
      const sum = await copyUnaltered(work, key)
      if (sum) {
        await appendCopied(folder.path, key, sum)
        work.copied.set(key, sum)
        bytes += sum.sizeBytes
      } else if (!mayBeAbsent) absent.push(key)
    }
    done += 1
    work.count(done, named.length, bytes)
  })
  return absent
}

/** An object of the right size that a backup read back counts as the same until it is read again. */
async function isThere(work: Work, key: string): Promise<boolean> {
  const { copied, had, folder } = work
  const known = copied.get(key) ?? had.get(key)
  if (!known) return false
  const sizeBytes = await folder.files.size(key)
  if (sizeBytes === known.sizeBytes) return true
  if (had.has(key)) {
    const found = sizeBytes === undefined ? undefined : { sizeBytes, sha256: '' }
    markDamaged(work, key, problemOf(found, known) ?? '')
  }
  return false
}

/** Objects never change: the copy of a damaged one must be what that was, or the object is lost at both ends. */
async function copyUnaltered({ storage, folder, damaged, signal }: Work, key: string) {
  const expected = damaged.get(key)?.expected
  const options = { signal, ...(expected && { expected }) }
  return copyFile(storage, folder.files, key, options).catch((error) => {
    if (error instanceof FileAltered) return undefined
    throw error
  })
}

/**
 * A revelation deleted between the snapshot and the copy of its file would leave a letter without it: another snapshot
 * lacks that letter. `missing` are objects that rows still name.
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

function listBackupFiles({ copied, had }: Work, { named }: Snapshot): FileList {
  const backedUp: FileList = new Map()
  for (const { key } of named) {
    const sum = copied.get(key) ?? had.get(key)
    if (sum) backedUp.set(key, sum)
  }
  return backedUp
}

/** Reads all that was written since the last finished backup, before this one counts as finished. */
async function readBack(
  { folder, copied, print, signal }: Work,
  snapshot: Snapshot,
): Promise<void> {
  print(`Reading back ${snapshot.tables.length} tables and ${copied.size} new files.`)
  for (const table of snapshot.tables) {
    const problem = await checkTable(tablePath(folder.path, snapshot.run, table), table, signal)
    if (problem) throw new Error(`What was written for ${table.name} cannot be read: ${problem}`)
  }
  await forEachFile(copied, signal, async ([key, sum]) => {
    const read = await sumOf(folder.files, key, signal)
    if (read && isSameSum(read, sum)) {
      copied.set(key, { ...sum, readAt: new Date().toISOString() })
      return
    }
    // The next backup copies it again.
    await folder.files.delete(key)
    throw new StartError(
      `${key} was not read back as it was written: is the disk sound? Start again.`,
    )
  })
}

function bytesOf(files: FileList): number {
  return [...files.values()].reduce((total, { sizeBytes }) => total + sizeBytes, 0)
}

function printRemoved(
  { print, damaged }: Work,
  removed: readonly string[],
  written: Set<string>,
): void {
  const extra = removed.filter((key) => !written.has(key))
  const ended = removed.filter((key) => written.has(key) && !damaged.has(key)).length
  if (ended > 0) print(`${ended} files that nothing names any longer were removed.`)
  if (extra.length === 0) return
  print(`${extra.length} files that no backup had written were removed:`)
  for (const key of extra) print(`files/${key}`)
}

function printDamaged({ damaged, copied, print }: Work): void {
  if (damaged.size === 0) return
  print(
    `${damaged.size} files were no longer what an earlier backup had written. Is the disk sound?`,
  )
  for (const [key, { problem }] of damaged) {
    print(`files/${key}: ${problem}; ${copied.has(key) ? 'it was copied again' : 'it is lost'}.`)
  }
}

/** A backup claims only what it read, and when. */
function formatSummary(
  backedUp: FileList,
  { copied, readAgain }: { copied: number; readAgain: number },
) {
  const days = [...backedUp.values()].map(({ readAt }) => readAt?.slice(0, 10))
  const never = days.filter((day) => day === undefined).length
  const since = days.filter((day) => day !== undefined).sort()[0]
  return [
    `Of ${backedUp.size} files ${copied} were copied and read back now, ${readAgain} of earlier ones were read again`,
    ...(never > 0 ? [`${never} wait for their turn within ${READ_WITHIN_DAYS} days`] : []),
    ...(since && never === 0 ? [`each of them was read since ${since}`] : []),
  ]
    .join('; ')
    .concat('.')
}
