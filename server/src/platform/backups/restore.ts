import type pg from 'pg'
import type { Log } from '#server/platform/log.ts'
import { StartError } from '#server/platform/start-error.ts'
import type { Storage } from '#server/platform/storage/storage.ts'
import { openFilesOf } from './backup-folder.ts'
import { type CheckedBackup, checkTables } from './check-backup.ts'
import { inTurn } from './one-at-a-time.ts'
import type { Report } from './report.ts'
import { requireFreeDatabase, requireKnownMigrations, restoreDatabase } from './restore-database.ts'
import { requireOwnPlace, restoreFiles } from './restore-files.ts'
import { beginRestore } from './unfinished-restore.ts'

interface RestoreTarget {
  pool: pg.Pool
  storage: Storage
  log: Log
  /** The files of the backup are in the storage already, and stay: the installation that had them only changes its database. */
  filesInPlace: boolean
  /** Goes on without the files that the backup can no longer give. */
  despiteDamage: boolean
}

/** A backup that this version can restore, read to its end but for its files. */
export async function openBackup(folder: string, report: Report): Promise<CheckedBackup> {
  const backup = await checkTables(folder, report)
  if (backup.problems.length > 0) {
    throw new StartError(`This backup is damaged: ${backup.problems.join(' ')}`)
  }
  await requireKnownMigrations(backup.manifest)
  return backup
}

/** Restores into an empty installation. Cut at any moment, it goes on when it is called again; nothing starts until then. */
export function restore(
  folder: string,
  { manifest, files }: CheckedBackup,
  { pool, storage, log, filesInPlace, despiteDamage }: RestoreTarget,
  report: Report,
): Promise<{ copied: number; damaged: string[] }> {
  return inTurn(pool, async () => {
    const goesOn = await requireFreeDatabase(pool, manifest)
    await requireOwnPlace(storage, files, { inPlace: goesOn || filesInPlace })
    // Only now: with this mark the files that are there count as its own.
    if (!goesOn) await beginRestore(pool, manifest.run)
    const restored = await restoreFiles(openFilesOf(folder), storage, files, report)
    if (restored.damaged.length > 0 && !despiteDamage) throw damagedFiles(restored.damaged)
    report.say('The files are in their place; now the tables.')
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
