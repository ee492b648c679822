import path from 'node:path'
import { type Config, readConfig } from '#server/config.ts'
import type { AppContext } from '#server/context.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { findKeyFingerprint } from '#server/platform/database/key-fingerprint.ts'
import { findRunningPostgres } from '#server/platform/database/running-postgres.ts'
import { openPublishing } from '#server/platform/events/publishing.ts'
import { startBoss } from '#server/platform/jobs/boss.ts'
import { jobsOn } from '#server/platform/jobs/jobs.ts'
import { createLog } from '#server/platform/log.ts'
import { openMail } from '#server/platform/mail/open-mail.ts'
import { loadKeyring } from '#server/platform/sealing/keyring.ts'
import { StartError } from '#server/platform/start-error.ts'
import { openDiskStorage } from '#server/platform/storage/disk-storage.ts'

/** What an operator’s command stands on: the database and files of the program that runs, and nothing of its own. */
export async function withOperatorContext<T>(
  work: (ctx: AppContext) => Promise<T>,
  config: Config = readConfig(),
): Promise<T> {
  // What a command prints is on standard output, and nothing else is.
  const log = createLog('error', process.stderr)
  const { pool, db, close } = openDatabase(await connectionOf(config), log)
  const closers: (() => Promise<unknown>)[] = [close]
  try {
    const expectedFingerprint = await requireReady(config, () => findKeyFingerprint(db))
    const { dataDir, masterKeyFile } = config
    const keyring = await loadKeyring({ dataDir, masterKeyFile, expectedFingerprint, log })
    const boss = await startBoss(pool, [], { supervise: false, log })
    closers.push(() => boss.stop({ graceful: false }))
    const events = openPublishing(pool, log)
    closers.push(() => events.close())
    return await work({
      config,
      db,
      jobs: jobsOn(boss, db),
      events,
      mail: openMail(config),
      storage: await openDiskStorage(path.join(dataDir, 'files')),
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

async function connectionOf({ databaseUrl, dataDir }: Config) {
  return databaseUrl === undefined
    ? findRunningPostgres(dataDir)
    : { connectionString: databaseUrl }
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
