import { access, readFile } from 'node:fs/promises'
import path from 'node:path'
import type pg from 'pg'
import { type Config, readConfig } from '#server/config.ts'
import type { AppContext } from '#server/context.ts'
import { hooks } from '#server/hooks.ts'
import { type Database, openDatabase } from '#server/platform/database/database.ts'
import {
  findRunningPostgres,
  startEmbeddedPostgres,
} from '#server/platform/database/embedded-postgres.ts'
import { findKeyFingerprint } from '#server/platform/database/key-fingerprint.ts'
import { jobsOn, startQueue } from '#server/platform/jobs/jobs.ts'
import { createLog, type Log } from '#server/platform/log.ts'
import { openMail } from '#server/platform/mail/mail-transports.ts'
import { openPublisher } from '#server/platform/pubsub/pubsub.ts'
import { loadKeyring } from '#server/platform/sealing/keyring.ts'
import { StartError } from '#server/platform/start-error.ts'
import { openDiskReserve } from '#server/platform/storage/disk-reserve.ts'
import { prepareDataFolder } from '#server/platform/storage/folders.ts'
import { openStorage } from '#server/platform/storage/open-storage.ts'

type OpenDatabase = (config: Config, log: Log) => Promise<Database>

/**
 * Runs the work of a command with the context of the running program, or with the database that `open` opens, such as
 * that of an installation that does not run.
 */
export async function withOperatorContext<T>(
  work: (ctx: AppContext) => Promise<T>,
  open: OpenDatabase = openRunningDatabase,
): Promise<T> {
  const config = readConfig()
  // The standard output is for the command alone.
  const log = createLog('error', process.stderr)
  const { pool, db, close } = await open(config, log)
  const closers: (() => Promise<unknown>)[] = [close]
  try {
    const expectedFingerprint = await requireReady(config, () => findKeyFingerprint(db))
    const { dataDir, masterKeyFile } = config
    const keyring = await loadKeyring({ dataDir, masterKeyFile, expectedFingerprint, log })
    const boss = await startQueue(pool, [], { runsJobs: false, log })
    closers.push(() => boss.stop({ graceful: false }))
    const events = openPublisher(pool, log)
    closers.push(() => events.close())
    return await work({
      config,
      db,
      searches: { db, bitmaps: db },
      jobs: jobsOn(boss, db),
      events,
      hooks,
      mail: openMail(config),
      storage: await openStorage(config),
      disk: openDiskReserve({ reserveBytes: 0, folders: [], hasFiles: false, log }),
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

async function openRunningDatabase({ databaseUrl, dataDir }: Config, log: Log): Promise<Database> {
  const connection =
    databaseUrl === undefined
      ? await findRunningPostgres(dataDir)
      : { connectionString: databaseUrl }
  return openDatabase(connection, log)
}

/** Refuses a database that no program has prepared, which has no key: a command creates none. */
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

/** Opens the database of an installation, and starts its embedded PostgreSQL if no program runs. */
export async function openInstalledDatabase(config: Config, log: Log): Promise<Database> {
  const { databaseUrl, dataDir } = config
  if (databaseUrl !== undefined) return connect({ connectionString: databaseUrl }, log)
  const running = await findRunningPostgres(dataDir).catch((error) => {
    if (error instanceof StartError) return undefined
    throw error
  })
  if (running) return connect(running, log)
  await requireInstallation(dataDir)
  return openEmbedded(config, log)
}

/** Refuses a folder without an embedded database. */
export async function requireInstallation(dataDir: string): Promise<void> {
  await access(path.join(dataDir, 'postgres', 'PG_VERSION')).catch(() => {
    throw new StartError(
      `There is no installation in ${dataDir}: say its DATA_DIR, or its DATABASE_URL.`,
    )
  })
}

/** The database for a restore: that of DATABASE_URL, or a new one in DATA_DIR; no program may run there. */
export async function createDatabase(config: Config, log: Log): Promise<Database> {
  if (config.databaseUrl !== undefined)
    return connect({ connectionString: config.databaseUrl }, log)
  await prepareDataFolder(config.dataDir)
  return openEmbedded(config, log)
}

async function openEmbedded({ dataDir }: Config, log: Log): Promise<Database> {
  const postgres = await startEmbeddedPostgres({ dataDir, log })
  const database = await connect(postgres.connection, log)
  return {
    ...database,
    async close() {
      await database.close()
      await postgres.stop()
    },
  }
}

/** Connects under another name than the program: a restore checks by the name whether the program runs. */
async function connect(connection: pg.PoolConfig, log: Log): Promise<Database> {
  const named = { ...connection, application_name: 'revelations command' }
  const database = openDatabase(named, log)
  try {
    await database.pool.query('select')
    return database
  } catch (error) {
    await database.close()
    const { message, code } = error as NodeJS.ErrnoException
    throw new StartError(`The database cannot be reached: it answered « ${message || code} ».`)
  }
}

export async function readProductVersion(): Promise<string> {
  const file = path.resolve(import.meta.dirname, '../../package.json')
  return JSON.parse(await readFile(file, 'utf8')).version
}
