import path from 'node:path'
import { parseArgs } from 'node:util'
import { type Config, readConfig } from '#server/config.ts'
import { openBackup, restore } from '#server/platform/backups/restore.ts'
import { createLog, type Log } from '#server/platform/log.ts'
import { loadKeyring } from '#server/platform/sealing/keyring.ts'
import { StartError } from '#server/platform/start-error.ts'
import { openStorage } from '#server/platform/storage/open-storage.ts'
import { runCommand } from './command-line.ts'
import { makeDatabase } from './installation.ts'
import { inDigits, inShort, withProgress } from './progress.ts'

const USAGE = `Puts a backup into an empty installation: the DATA_DIR, DATABASE_URL and bucket of this environment.
  npm run restore -- <folder>
Its master key must be there first: DATA_DIR/keys/master.key, or MASTER_KEY_FILE (docs/backup.md).
--files-in-place, when an installation moves to another database and its files stay in their DATA_DIR or bucket.
--despite-damage restores a damaged backup without the files it can no longer give.
`

await runCommand(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'files-in-place': { type: 'boolean', default: false },
      'despite-damage': { type: 'boolean', default: false },
      help: { type: 'boolean' },
    },
  })
  const [given] = positionals
  if (given === undefined || positionals.length > 1 || values.help) {
    process.stdout.write(USAGE)
    process.exitCode = values.help ? 0 : 1
    return
  }
  const folder = path.resolve(given)
  const config = readConfig()
  const log = createLog('error', process.stderr)
  await withProgress(async (progress) => {
    const backup = await openBackup(folder, progress)
    await requireItsKey(config, backup.manifest.keyFingerprint, log)
    const { pool, close } = await makeDatabase(config, log)
    try {
      const storage = await openStorage(config)
      const filesInPlace = values['files-in-place']
      const despiteDamage = values['despite-damage']
      const target = { pool, storage, log, filesInPlace, despiteDamage }
      const { copied, damaged } = await restore(folder, backup, target, progress)
      const { files, missing, gone } = backup.manifest
      if (missing.length > 0) {
        progress.say(
          `${inDigits(missing.length)} files were lost before the backup was made: ${inShort(missing)}.`,
        )
      }
      if (gone.length > 0) {
        progress.say(
          `${inDigits(gone.length)} files were deleted while the backup was made: ${inShort(gone)}.`,
        )
      }
      progress.say(
        `The backup of ${backup.manifest.endedAt} is restored: ${inDigits(files.count - damaged.length)} files (${inDigits(copied)} copied now). Start the program, then run npm run verify.`,
      )
    } finally {
      await close()
    }
  })
})

/** Before anything is made: with another key nothing that is restored would ever open. */
async function requireItsKey(config: Config, fingerprint: string, log: Log): Promise<void> {
  const { dataDir, masterKeyFile } = config
  const expectedFingerprint = Buffer.from(fingerprint, 'hex')
  try {
    await loadKeyring({ dataDir, masterKeyFile, expectedFingerprint, log })
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    const wanted = masterKeyFile ?? path.join(dataDir, 'keys', 'master.key')
    throw new StartError(
      `This backup opens only with the master.key of the installation it was made from (fingerprint ${fingerprint.slice(0, 8)}…): bring that file to ${wanted}.`,
    )
  }
}
