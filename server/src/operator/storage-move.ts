import { parseArgs } from 'node:util'
import { type Config, readConfig } from '#server/config.ts'
import { findRunningPostgres } from '#server/platform/database/running-postgres.ts'
import { StartError } from '#server/platform/start-error.ts'
import { copyObjects, type Move } from '#server/platform/storage/move-objects.ts'
import { openBucket, openDisk } from '#server/platform/storage/open-storage.ts'
import { type Storage, StorageFull } from '#server/platform/storage/storage.ts'
import { runCommand } from './command-line.ts'
import { inDigits, inMegabytes, withProgress } from './progress.ts'

const USAGE = `Copies all files between DATA_DIR and the bucket of the S3_ variables, and reads back what it copied:
  npm run storage:move -- --to bucket
  npm run storage:move -- --to disk
The program may run meanwhile: stop it, run this again for what arrived since, and start it with the S3_ variables (to the
bucket) or without (to the disk). Run again after a cut, it goes on. --delete-source deletes, once all is copied, what was
read back the same; the program must be stopped then.
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
  const isRunning = await runsHere(config)
  if (isRunning && deletesSource) {
    throw new StartError(
      `A program runs on ${config.dataDir}: stop it before its files are deleted anywhere.`,
    )
  }
  const [disk, bucket] = [await openDisk(config.dataDir), await openBucket(config.s3)]
  const [source, target] = to === 'bucket' ? [disk, bucket] : [bucket, disk]
  await target.check()
  await withProgress(async ({ say, count, signal }) => {
    const move = await copyObjects({ source, target, signal }, count).catch((error) => {
      if (!(error instanceof StorageFull)) throw error
      throw new StartError(`The ${to} is full: make room there and run this again, it goes on.`)
    })
    say(inWords(move))
    requireAll(move)
    if (deletesSource) say(await deleteAll(source, move.verified))
    if (isRunning)
      say('The program is running: stop it and run this again for what arrives meanwhile.')
  })
}

/** Only a program on the embedded database can be seen from here. */
async function runsHere({ databaseUrl, dataDir }: Config): Promise<boolean> {
  if (databaseUrl !== undefined) return false
  return findRunningPostgres(dataDir).then(
    () => true,
    () => false,
  )
}

function inWords({ copied, there, goneCount }: Move): string {
  return [
    `${filesOf(copied)} copied and read back`,
    `${filesOf(there)} there already and the same`,
    ...(goneCount > 0 ? [`${inDigits(goneCount)} deleted meanwhile`] : []),
  ].join('; ')
}

function filesOf({ count, bytes }: { count: number; bytes: number }): string {
  return `${inDigits(count)} ${count === 1 ? 'file' : 'files'} (${inMegabytes(bytes)})`
}

function requireAll({ failed }: Move): void {
  if (failed.length === 0) return
  const lines = failed.slice(0, 20).map(({ key, reason }) => `${key}: ${reason}\n`)
  throw new StartError(
    `${lines.join('')}${inDigits(failed.length)} could not be copied, and nothing was deleted: run this again.`,
  )
}

async function deleteAll(source: Storage, keys: readonly string[]): Promise<string> {
  for (const key of keys) await source.delete(key)
  return `${inDigits(keys.length)} deleted where they came from.`
}
