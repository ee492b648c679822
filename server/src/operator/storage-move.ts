import { parseArgs } from 'node:util'
import { type Config, readConfig } from '#server/config.ts'
import { isProgramRunning } from '#server/platform/backups/backup-lock.ts'
import { findRunningPostgres } from '#server/platform/database/embedded-postgres.ts'
import { createLog } from '#server/platform/log.ts'
import { StartError } from '#server/platform/start-error.ts'
import { copyObjects, type Move } from '#server/platform/storage/copy-files.ts'
import { openBucket, openDisk } from '#server/platform/storage/open-storage.ts'
import { type Storage, StorageFull } from '#server/platform/storage/storage.ts'
import { formatCount, formatMegabytes, runCommand, withProgress } from './command-line.ts'
import { openInstalledDatabase, requireInstallation } from './operator-context.ts'

const USAGE = `Copies all files between DATA_DIR and the bucket of the S3_ variables, and reads back what it copied:
  npm run storage:move -- --to bucket
  npm run storage:move -- --to disk
The program may run meanwhile: stop it, run this again for what arrived since, and start it with the S3_ variables (to the
bucket) or without (to the disk). Run again after a cut, it goes on. --delete-source deletes, once all is copied, what was
read back the same; the program must be stopped then, on every machine, and DATABASE_URL said if it has one.
`

await runCommand(async () => {
  const { values } = parseArgs({
    options: {
      to: { type: 'string' },
      'delete-source': { type: 'boolean', default: false },
      help: { type: 'boolean' },
    },
  })
  if (values.to === undefined || values.help) {
    process.stdout.write(USAGE)
    process.exitCode = values.help ? 0 : 1
    return
  }
  if (values.to !== 'bucket' && values.to !== 'disk') {
    throw new StartError(`Files move --to bucket or --to disk, not to « ${values.to} ».`)
  }
  await moveFiles(readConfig(), values.to, values['delete-source'])
})

async function moveFiles(config: Config, to: 'bucket' | 'disk', deletesSource: boolean) {
  if (!config.s3) {
    throw new StartError('Say which bucket: S3_BUCKET, S3_ACCESS_KEY, S3_SECRET_KEY, S3_ENDPOINT.')
  }
  if (deletesSource) await requireStopped(config)
  const [disk, bucket] = [await openDisk(config.dataDir), await openBucket(config.s3)]
  const [source, target] = to === 'bucket' ? [disk, bucket] : [bucket, disk]
  await target.check()
  await withProgress(async ({ print, count, signal }) => {
    const move = await copyObjects({ source, target, signal }, count).catch((error) => {
      if (!(error instanceof StorageFull)) throw error
      throw new StartError(`The ${to} is full: make room there and run this again, it goes on.`)
    })
    print(formatMove(move))
    requireAll(move)
    if (deletesSource) {
      // The copy may have taken hours.
      await requireStopped(config)
      print(await deleteAll(source, move.verified))
    } else if (await isRunningOn(config).catch(() => false)) {
      print('The program is running: stop it and run this again for what arrives meanwhile.')
    }
  })
}

/** Refuses to delete files under a program that runs, or may run: it would lose what people send. */
async function requireStopped(config: Config): Promise<void> {
  if (await isRunningOn(config)) {
    throw new StartError('A program runs on these files: stop it before they are deleted anywhere.')
  }
}

async function isRunningOn(config: Config): Promise<boolean> {
  // A database that is not running has no program.
  if (config.databaseUrl === undefined && !(await isEmbeddedRunning(config))) return false
  const { pool, close } = await openInstalledDatabase(config, createLog('error', process.stderr))
  try {
    return await isProgramRunning(pool)
  } finally {
    await close()
  }
}

async function isEmbeddedRunning({ dataDir }: Config): Promise<boolean> {
  await requireInstallation(dataDir)
  return findRunningPostgres(dataDir).then(
    () => true,
    (error) => {
      if (error instanceof StartError) return false
      throw error
    },
  )
}

function formatMove({ copied, existing, goneCount }: Move): string {
  return [
    `${filesOf(copied)} copied and read back`,
    `${filesOf(existing)} there already and the same`,
    ...(goneCount > 0 ? [`${formatCount(goneCount)} deleted meanwhile`] : []),
  ].join('; ')
}

function filesOf({ count, bytes }: { count: number; bytes: number }): string {
  return `${formatCount(count)} ${count === 1 ? 'file' : 'files'} (${formatMegabytes(bytes)})`
}

function requireAll({ failed }: Move): void {
  if (failed.length === 0) return
  const lines = failed.slice(0, 20).map(({ key, reason }) => `${key}: ${reason}\n`)
  throw new StartError(
    `${lines.join('')}${formatCount(failed.length)} could not be copied, and nothing was deleted: run this again.`,
  )
}

async function deleteAll(source: Storage, keys: readonly string[]): Promise<string> {
  for (const key of keys) await source.delete(key)
  return `${formatCount(keys.length)} deleted where they came from.`
}
