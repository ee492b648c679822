import type pg from 'pg'
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
import { type FileList, openBackupFiles, type Report } from './backup-folder.ts'
import { startRestore, withBackupLock } from './backup-lock.ts'
import { type CheckedBackup, checkTables } from './check-backup.ts'
import { requireFreeDatabase, requireKnownMigrations, restoreDatabase } from './restore-database.ts'

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
