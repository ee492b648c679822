import { type Config, readConfig } from '#server/config.ts'
import type { AppContext } from '#server/context.ts'
import { hooks } from '#server/hooks.ts'
import { type Database, openDatabase } from '#server/platform/database/database.ts'
import { findRunningPostgres } from '#server/platform/database/embedded-postgres.ts'
import { findKeyFingerprint } from '#server/platform/database/key-fingerprint.ts'
import { jobsOn, startQueue } from '#server/platform/jobs/jobs.ts'
import { createLog, type Log } from '#server/platform/log.ts'
import { openMail } from '#server/platform/mail/mail-transports.ts'
import { openPublisher } from '#server/platform/pubsub/pubsub.ts'
import { loadKeyring } from '#server/platform/sealing/keyring.ts'
import { StartError } from '#server/platform/start-error.ts'
import { openDiskReserve } from '#server/platform/storage/disk-reserve.ts'
import { openStorage } from '#server/platform/storage/open-storage.ts'

type Reach = (config: Config, log: Log) => Promise<Database>

/**
 * What an operator’s command stands on: the database and files of the program that runs, and nothing of its own; or, by
 * `reach`, of an installation that need not run.
 */
export async function withOperatorContext<T>(
  work: (ctx: AppContext) => Promise<T>,
  reach: Reach = reachRunning,
): Promise<T> {
  const config = readConfig()
  // What a command prints is on standard output, and nothing else is.
  const log = createLog('error', process.stderr)
  const { pool, db, close } = await reach(config, log)
  const closers: (() => Promise<unknown>)[] = [close]
  try {
    const expectedFingerprint = await requireReady(config, () => findKeyFingerprint(db))
    const { dataDir, masterKeyFile } = config
    const keyring = await loadKeyring({ dataDir, masterKeyFile, expectedFingerprint, log })
    const boss = await startQueue(pool, [], { supervise: false, log })
    closers.push(() => boss.stop({ graceful: false }))
    const events = openPublisher(pool, log)
    closers.push(() => events.close())
    return await work({
      config,
      db,
      jobs: jobsOn(boss, db),
      events,
      hooks,
      mail: openMail(config),
      storage: await openStorage(config),
      disk: openDiskReserve({ reserveBytes: 0, folders: [], holdsFiles: false, log }),
      keyring,
      tools: config.tools,
      log,
      now: () => new Date(),
      stopping: new AbortController().signal,
      boss,
      pool,
    })
  } finally {
    for (const closer of closers.reverse()) await closer()
  }
}

async function reachRunning({ databaseUrl, dataDir }: Config, log: Log): Promise<Database> {
  const connection =
    databaseUrl === undefined
      ? await findRunningPostgres(dataDir)
      : { connectionString: databaseUrl }
  return openDatabase(connection, log)
}

/** A database that no program has prepared has no key: nothing is made here. */
async function requireReady(
  { databaseUrl }: Config,
  find: () => Promise<Buffer | undefined>,
): Promise<Buffer> {
  const fingerprint = await find().catch((error) => {
    const cause = error.message || error.code
    throw databaseUrl === undefined
      ? error
      : new StartError(`DATABASE_URL cannot be used: the PostgreSQL server answered « ${cause} ».`)
  })
  if (!fingerprint) throw new StartError('This database is empty: start the program first.')
  return fingerprint
}
