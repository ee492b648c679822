import path from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig } from '#server/config.ts'
import { compareLog } from '#server/features/proofs/high-water-mark.service.ts'
import type { Manifest } from '#server/platform/backups/backup-folder.ts'
import { checkBackup } from '#server/platform/backups/check-backup.ts'
import { createBackup } from '#server/platform/backups/create-backup.ts'
import type { LogMark } from '#server/platform/backups/log-mark.ts'
import type { Db } from '#server/platform/database/db.ts'
import { createLog } from '#server/platform/log.ts'
import { StartError } from '#server/platform/start-error.ts'
import { openStorage } from '#server/platform/storage/open-storage.ts'
import {
  formatCount,
  formatFirst,
  formatMegabytes,
  runCommand,
  withProgress,
} from './command-line.ts'
import { openInstalledDatabase, readProductVersion } from './operator-context.ts'

const USAGE = `Copies an installation, running or not, to a folder, and reads back what it wrote:
  npm run backup -- <folder>              another backup to the same folder copies only what is new
  npm run backup -- --read-all <folder>   the same, and reads all that is there again
  npm run backup -- --verify <folder>     reads a backup to its end and says whether it is whole
A file that is no longer what was written is copied again. A log of proofs that was set back replaces no backup. Every run reads a share of the earlier files again, all of them
within a week of daily ones; the rest is claimed for the day it was last read.
The master key is not in it: keep its copy elsewhere (docs/backup.md).
`

await runCommand(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      verify: { type: 'boolean' },
      'read-all': { type: 'boolean', default: false },
      help: { type: 'boolean' },
    },
  })
  const [folder] = positionals
  if (folder === undefined || positionals.length > 1 || values.help) {
    process.stdout.write(USAGE)
    process.exitCode = values.help ? 0 : 1
    return
  }
  const target = path.resolve(folder)
  await (values.verify ? verify(target) : write(target, values['read-all']))
})

async function write(folder: string, readsAll: boolean): Promise<void> {
  const config = readConfig()
  const log = createLog('error', process.stderr)
  const { pool, db, close } = await openInstalledDatabase(config, log)
  try {
    await withProgress(async (progress) => {
      const storage = await openStorage(config)
      const productVersion = await readProductVersion()
      const manifest = await createBackup(
        {
          ...{ pool, storage, productVersion, readsAll },
          requireContinued: (previous, madeAt) =>
            requireContinued(db, previous, { folder, madeAt }),
        },
        folder,
        progress,
      )
      progress.print(`The backup in ${folder} is finished: ${formatManifest(manifest)}.`)
      requireNoneMissing(manifest)
    })
  } finally {
    await close()
  }
}

/** Refuses to replace a backup by one whose log was set back or replaced: it may be the newest there is. */
async function requireContinued(
  db: Db,
  previous: LogMark,
  { folder, madeAt }: { folder: string; madeAt: string },
): Promise<void> {
  const seen = { size: previous.size, root: Buffer.from(previous.root, 'hex') }
  const { size, state } = await compareLog({ db }, seen)
  if (state === 'continued') return
  const what =
    state === 'behind'
      ? `has ${formatCount(size)} leaves, but that of the backup of ${madeAt} in ${folder} has ${formatCount(previous.size)}`
      : `is not the one of the backup of ${madeAt} in ${folder}`
  throw new StartError(
    `The log in this database ${what}: it was set back or replaced, and that backup stays as it is. Restore it, or choose another folder if this database is right.`,
  )
}

/** Reports lost files after the backup: one lost file is no reason to lose the rest. */
function requireNoneMissing({ missing }: Manifest): void {
  if (missing.length === 0) return
  throw new StartError(
    `But ${missing.length} files that the database names are no longer stored as they were, and are not in it: ${formatFirst(missing)}.`,
  )
}

async function verify(folder: string): Promise<void> {
  await withProgress(async (progress) => {
    const { manifest, problems, extra } = await checkBackup(folder, progress)
    if (extra.length > 0) {
      progress.print(
        `${formatCount(extra.length)} files are there that this backup does not name: ${formatFirst(extra)}.`,
      )
    }
    if (problems.length > 0) {
      throw new StartError(
        `${problems.join('\n')}\nThis backup is damaged: ${problems.length} of its files are not what was written. Where it was made, npm run backup -- --read-all brings them back.`,
      )
    }
    progress.print(`The backup of ${manifest.endedAt} is whole: ${formatManifest(manifest)}.`)
  })
}

function formatManifest({ tables, files, log }: Manifest): string {
  const rows = tables.reduce((total, table) => total + table.rows, 0)
  const leaves = log ? `, a log of ${formatCount(log.size)} leaves` : ''
  return `${formatCount(rows)} rows of ${tables.length} tables, ${formatCount(files.count)} files of ${formatMegabytes(files.bytes)}${leaves}`
}
