import { stat } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { hexOf } from '#contract/proofs/bytes.ts'
import { readCheckpoint } from '#contract/proofs/checkpoint.ts'
import { type Config, readConfig } from '#server/config.ts'
import {
  compareLog,
  findSetBack,
  markPath,
  readMark,
} from '#server/features/proofs/high-water-mark.service.ts'
import type { LogMark } from '#server/platform/backups/log-mark.ts'
import { openBackup, restore } from '#server/platform/backups/restore.ts'
import type { Db } from '#server/platform/database/db.ts'
import { findAccountIds } from '#server/platform/database/postgres-programs.ts'
import { createLog, type Log } from '#server/platform/log.ts'
import { loadKeyring } from '#server/platform/sealing/keyring.ts'
import { StartError } from '#server/platform/start-error.ts'
import { changeOwner, ignoreMissing } from '#server/platform/storage/folders.ts'
import { openStorage } from '#server/platform/storage/open-storage.ts'
import { formatCount, formatFirst, runCommand, withProgress } from './command-line.ts'
import { createDatabase } from './operator-context.ts'

const USAGE = `Puts a backup into an empty installation: the DATA_DIR, DATABASE_URL and bucket of this environment.
  npm run restore -- <folder>
Its master key must be there first: DATA_DIR/keys/master.key, or MASTER_KEY_FILE (docs/backup.md).
--files-in-place, when an installation moves to another database and its files stay in their DATA_DIR or bucket.
--despite-damage restores a damaged backup without the files it can no longer give.
--owner <user> says whose DATA_DIR is to be, for a restore that root makes; if it is not said, whose it is already.
`

const BELONGS_TO_ROOT =
  'DATA_DIR belongs to root: a program of another user cannot read it (chown -R, or --owner the next time).'

await runCommand(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'files-in-place': { type: 'boolean', default: false },
      'despite-damage': { type: 'boolean', default: false },
      owner: { type: 'string' },
      help: { type: 'boolean' },
    },
  })
  const [name] = positionals
  if (name === undefined || positionals.length > 1 || values.help) {
    process.stdout.write(USAGE)
    process.exitCode = values.help ? 0 : 1
    return
  }
  const folder = path.resolve(name)
  const config = readConfig()
  const log = createLog('error', process.stderr)
  // Before root creates anything in it.
  const owner = await findOwner(config.dataDir, values.owner)
  await withProgress(async (progress) => {
    const backup = await openBackup(folder, progress)
    await requireMasterKey(config, backup.manifest.keyFingerprint, log)
    await requireMarkReached(config, backup.manifest.log)
    const { pool, db, close: closeDatabase } = await createDatabase(config, log)
    let closed: Promise<void> | undefined
    const close = () => (closed ??= closeDatabase())
    try {
      const storage = await openStorage(config)
      const filesInPlace = values['files-in-place']
      const despiteDamage = values['despite-damage']
      const target = { pool, storage, log, filesInPlace, despiteDamage }
      const { copied, damaged } = await restore(folder, backup, target, progress)
      await requireLogOf(db, backup.manifest.log)
      const setBack = await findSetBack({ db, config })
      const { files, missing, gone } = backup.manifest
      if (missing.length > 0) {
        progress.print(
          `${formatCount(missing.length)} files were lost before the backup was made: ${formatFirst(missing)}.`,
        )
      }
      if (gone.length > 0) {
        progress.print(
          `${formatCount(gone.length)} files were deleted while the backup was made: ${formatFirst(gone)}.`,
        )
      }
      await close()
      if (owner) await ignoreMissing(changeOwner(config.dataDir, owner))
      else if (isRoot()) progress.print(BELONGS_TO_ROOT)
      progress.print(
        `The backup of ${backup.manifest.endedAt} is restored: ${formatCount(files.count - damaged.length)} files (${formatCount(copied)} copied now). Start the program, then run npm run verify.`,
      )
      if (backup.manifest.log) progress.print(formatLog(backup.manifest.log))
      if (setBack !== undefined) throw new StartError(`But no program starts on it: ${setBack}`)
    } finally {
      await close()
    }
  })
})

/**
 * Refuses, before anything is written, a backup whose log is behind the mark beside the keys: no program would start on it.
 * Backups of earlier versions do not say how far their log goes.
 */
async function requireMarkReached(config: Config, log: LogMark | undefined): Promise<void> {
  const mark = await readMark({ config })
  if (!mark || !log) return
  const isReached =
    mark.size < log.size || (mark.size === log.size && hexOf(mark.root) === log.root)
  if (isReached) return
  throw new StartError(
    `The log of this backup has ${formatCount(log.size)} leaves, but ${markPath({ config })} is of one of ${formatCount(mark.size)}, which it does not continue: bring a newer backup; remove that file only if there is none, since whoever holds a later checkpoint will see for ever that the log was set back.`,
  )
}

/** Refuses what was restored unless its log is the one that the manifest names. */
async function requireLogOf(db: Db, log: LogMark | undefined): Promise<void> {
  if (!log) return
  const seen = { size: log.size, root: Buffer.from(log.root, 'hex') }
  const { size, state } = await compareLog({ db }, seen)
  if (state === 'continued' && size === log.size) return
  throw new StartError(
    'The log that was restored is not the one that the manifest of this backup names: bring another copy of it, and restore into an empty installation.',
  )
}

function formatLog({ size, note }: LogMark): string {
  const signedAt = readCheckpoint(note)?.dated?.signedAt
  const since = signedAt ? ` of ${signedAt}` : ''
  return `Its log of proofs is the one${since}, with ${formatCount(size)} leaves. If letters were sealed since, whoever holds a later checkpoint, in a mail or a browser, will see for ever that it was set back: bring the newest backup there is before you start the program.`
}

function isRoot(): boolean {
  return process.getuid?.() === 0
}

/** The owner of the files that root restores; undefined if root stays the owner. */
async function findOwner(
  dataDir: string,
  name: string | undefined,
): Promise<{ uid: number; gid: number } | undefined> {
  if (name !== undefined && !isRoot()) {
    throw new StartError('Only root gives files to somebody else: leave --owner out, or be root.')
  }
  if (!isRoot()) return undefined
  if (name === undefined) {
    const found = await ignoreMissing(stat(dataDir))
    return found?.uid ? { uid: found.uid, gid: found.gid } : undefined
  }
  const ids = await findAccountIds(name)
  if (!ids) throw new StartError(`This machine has no user « ${name} ».`)
  return ids
}

/** Refuses another master key before anything is created: nothing restored would ever open with it. */
async function requireMasterKey(config: Config, fingerprint: string, log: Log): Promise<void> {
  const { dataDir, masterKeyFile } = config
  const expectedFingerprint = Buffer.from(fingerprint, 'hex')
  try {
    await loadKeyring({ dataDir, masterKeyFile, expectedFingerprint, log })
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    const expectedPath = masterKeyFile ?? path.join(dataDir, 'keys', 'master.key')
    throw new StartError(
      `This backup opens only with the master.key of the installation it was made from (fingerprint ${fingerprint.slice(0, 8)}…): bring that file to ${expectedPath}.`,
    )
  }
}
