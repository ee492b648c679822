import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { StartError } from '#server/platform/start-error.ts'
import { copyFile, FileAltered, forEachFile, sumOf } from '#server/platform/storage/copy-files.ts'
import { isSame, type Sum } from '#server/platform/storage/hashing.ts'
import type { Storage } from '#server/platform/storage/storage.ts'
import { type BackupFolder, openBackupFolder, removeRest } from './backup-folder.ts'
import { checkTables, problemOf } from './check-backup.ts'
import {
  type FileList,
  journalPath,
  noteCopied,
  readFileList,
  writeFileList,
} from './file-lists.ts'
import { listPath, type Manifest, tablePath, writeManifest } from './manifest.ts'
import { listExpected, listNamedFiles, type NamedFile } from './named-files.ts'
import { inTurn } from './one-at-a-time.ts'
import type { Report } from './report.ts'
import { type Snapshot, writeSnapshot } from './snapshot.ts'
import { checkTable } from './table-files.ts'
import { refuseUnfinishedRestore } from './unfinished-restore.ts'

const SNAPSHOTS = 3

const A_DAY_MS = 24 * 3_600_000
/** A backup every day reads each of its files again within so many. */
const READ_WITHIN_DAYS = 7

export interface BackupSource {
  pool: pg.Pool
  storage: Storage
  productVersion: string
  /** Reads every file of earlier backups again, not the share of a day. */
  readsAll?: boolean
}

/** What a backup under way knows. */
interface Work extends Report {
  pool: pg.Pool
  storage: Storage
  folder: BackupFolder
  /** Objects the folder has, by the previous backup or by what this one copied. */
  had: FileList
  copied: FileList
  /** What earlier backups wrote and is no longer that, with why; copied again, as it was. */
  damaged: Map<string, { expected: Sum; problem: string }>
}

/** Writes a backup and reads it back. Cut at any moment, it goes on when it is called again; until then what was stays. */
export function backUp(source: BackupSource, target: string, report: Report): Promise<Manifest> {
  return inTurn(source.pool, (client) => backUpWith(client, source, target, report))
}

async function backUpWith(
  client: pg.PoolClient,
  source: BackupSource,
  target: string,
  report: Report,
): Promise<Manifest> {
  const { pool, storage } = source
  await client.query('set statement_timeout = 0')
  await refuseUnfinishedRestore(client)
  const keyFingerprint = await readFingerprint(client)
  const folder = await openBackupFolder(target, keyFingerprint)
  const earlier = await readEarlier(folder, report)
  const work: Work = { ...report, pool, storage, folder, ...earlier, damaged: new Map() }
  const written = new Set([...work.had.keys(), ...work.copied.keys()])
  const beganAt = new Date().toISOString()
  const named = await listNamedFiles(client)
  const days = source.readsAll ? READ_WITHIN_DAYS : daysSince(folder.previous)
  const readAgain = await readShare(work, named, days)
  // Most of the files, before the snapshot: the shorter a snapshot is held, the less PostgreSQL must keep for it.
  await copyNamed(work, named)
  const { snapshot, absent } = await writeUntilWhole(work, client)
  const run = snapshot.run
  await readBack(work, snapshot)
  const kept = keptFiles(work, snapshot)
  const list = await writeFileList(listPath(target, run), kept)
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
  sayRemoved(work, await removeRest(folder, run, kept), written)
  sayDamaged(work)
  report.say(inWords(kept, { copied: work.copied.size, readAgain }))
  return manifest
}

async function readFingerprint(client: pg.PoolClient): Promise<string> {
  const { rows } = await client.query<{ fingerprint: Buffer }>(
    'select fingerprint from master_keys',
  )
  if (!rows[0]) throw new StartError('This database is empty: start the program first.')
  return rows[0].fingerprint.toString('hex')
}

/** What the folder has: nothing that an altered list or manifest says is believed. */
async function readEarlier({ path, previous, isAltered }: BackupFolder, report: Report) {
  const copied = await readFileList(journalPath(path))
  if (isAltered) {
    report.say('manifest.json was altered: everything is copied again, and written down anew.')
  }
  if (!previous) return { copied, had: new Map() }
  const { files, isListWhole, problems } = await checkTables(path, report)
  for (const problem of problems) report.say(`Of the backup before: ${problem}`)
  if (!isListWhole) report.say('Without that list everything is copied again.')
  return { copied, had: isListWhole ? files : new Map() }
}

/** For how many days earlier files are read again: one at least, all of them after a week without a backup. */
function daysSince(previous: Manifest | undefined): number {
  const sinceMs = previous ? Date.now() - Date.parse(previous.endedAt) : 0
  return Math.min(READ_WITHIN_DAYS, Math.max(1, sinceMs / A_DAY_MS))
}

/**
 * Reads a share of the earlier files again, those read longest ago first: disks forget without a word. The answer is how
 * many were what was written; the others are to be copied again.
 */
async function readShare(work: Work, named: readonly NamedFile[], days: number): Promise<number> {
  const { had, folder, signal } = work
  const keys = new Set(named.map(({ key }) => key))
  const oldest = [...had].filter(([key]) => keys.has(key))
  oldest.sort(([, one], [, other]) => ((one.readAt ?? '') < (other.readAt ?? '') ? -1 : 1))
  const asked = oldest.slice(0, Math.ceil((oldest.length * days) / READ_WITHIN_DAYS))
  let [done, bytes] = [0, 0]
  await forEachFile(asked, signal, async ([key, expected]) => {
    const problem = problemOf(await sumOf(folder.files, key, signal), expected)
    if (problem) giveUp(work, key, problem)
    else had.set(key, { ...expected, readAt: new Date().toISOString() })
    done += 1
    bytes += expected.sizeBytes
    work.count(done, asked.length, bytes)
  })
  return asked.filter(([key]) => had.has(key)).length
}

/** A file of an earlier backup is not what was written, and counts no more. */
function giveUp({ had, damaged }: Work, key: string, problem: string): void {
  const expected = had.get(key)
  if (expected) damaged.set(key, { expected, problem })
  had.delete(key)
}

/** Copies what the folder does not have; the answer is what storage does not have either. */
async function copyNamed(work: Work, named: readonly NamedFile[]): Promise<string[]> {
  const { folder, signal } = work
  const absent: string[] = []
  let [done, bytes] = [0, 0]
  await forEachFile(named, signal, async ({ key, mayBeAbsent }) => {
    if (!(await isThere(work, key))) {
      const sum = await copyAsItWas(work, key)
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

/** An object of the right size that this backup or an earlier one read back is taken for the same, until its turn comes. */
async function isThere(work: Work, key: string): Promise<boolean> {
  const { copied, had, folder } = work
  const known = copied.get(key) ?? had.get(key)
  if (!known) return false
  const sizeBytes = await folder.files.size(key)
  if (sizeBytes === known.sizeBytes) return true
  if (had.has(key)) {
    const found = sizeBytes === undefined ? undefined : { sizeBytes, sha256: '' }
    giveUp(work, key, problemOf(found, known) ?? '')
  }
  return false
}

/** Objects never change: what takes the place of a damaged one must be what that was, or it is lost at both ends. */
async function copyAsItWas({ storage, folder, damaged, signal }: Work, key: string) {
  const expected = damaged.get(key)?.expected
  const options = { signal, ...(expected && { expected }) }
  return copyFile(storage, folder.files, key, options).catch((error) => {
    if (error instanceof FileAltered) return undefined
    throw error
  })
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
    if (read && isSame(read, sum)) {
      copied.set(key, { ...sum, readAt: new Date().toISOString() })
      return
    }
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

function sayRemoved(
  { say, damaged }: Work,
  removed: readonly string[],
  written: Set<string>,
): void {
  const extra = removed.filter((key) => !written.has(key))
  const ended = removed.filter((key) => written.has(key) && !damaged.has(key)).length
  if (ended > 0) say(`${ended} files that nothing names any longer were removed.`)
  if (extra.length === 0) return
  say(`${extra.length} files that no backup had written were removed:`)
  for (const key of extra) say(`files/${key}`)
}

function sayDamaged({ damaged, copied, say }: Work): void {
  if (damaged.size === 0) return
  say(`${damaged.size} files were no longer what an earlier backup had written. Is the disk sound?`)
  for (const [key, { problem }] of damaged) {
    say(`files/${key}: ${problem}; ${copied.has(key) ? 'it was copied again' : 'it is lost'}.`)
  }
}

/** What was read, and when: a backup claims no more. */
function inWords(kept: FileList, { copied, readAgain }: { copied: number; readAgain: number }) {
  const days = [...kept.values()].map(({ readAt }) => readAt?.slice(0, 10))
  const never = days.filter((day) => day === undefined).length
  const since = days.filter((day) => day !== undefined).sort()[0]
  return [
    `Of ${kept.size} files ${copied} were copied and read back now, ${readAgain} of earlier ones were read again`,
    ...(never > 0 ? [`${never} wait for their turn within ${READ_WITHIN_DAYS} days`] : []),
    ...(since && never === 0 ? [`each of them was read since ${since}`] : []),
  ]
    .join('; ')
    .concat('.')
}
