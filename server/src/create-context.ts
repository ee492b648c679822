import path from 'node:path'
import type pg from 'pg'
import type { Config } from '#server/config.ts'
import type { AppContext, Hooks } from '#server/context.ts'
import { requireNoUnfinishedRestore } from '#server/platform/backups/backup-lock.ts'
import {
  type Database,
  type DatabasePatience,
  openDatabase,
  openSearches,
} from '#server/platform/database/database.ts'
import { startEmbeddedPostgres } from '#server/platform/database/embedded-postgres.ts'
import {
  findKeyFingerprint,
  insertKeyFingerprint,
} from '#server/platform/database/key-fingerprint.ts'
import { migrate } from '#server/platform/database/migrations.ts'
import { type Job, jobsOn, startQueue } from '#server/platform/jobs/jobs.ts'
import type { Log } from '#server/platform/log.ts'
import type { MailTransport } from '#server/platform/mail/mail.ts'
import { checkMailDestination, openMail, watchMail } from '#server/platform/mail/mail-transports.ts'
import { type ConfinedTools, confineTools } from '#server/platform/media-tools/confine-tools.ts'
import { checkTools } from '#server/platform/media-tools/ffmpeg.ts'
import { closePlainSources } from '#server/platform/media-tools/plain-source.ts'
import { sweepScratch } from '#server/platform/media-tools/scratch.ts'
import { openPublisher } from '#server/platform/pubsub/pubsub.ts'
import { type Keyring, loadKeyring } from '#server/platform/sealing/keyring.ts'
import { StartError } from '#server/platform/start-error.ts'
import { type DiskReserve, openDiskReserve } from '#server/platform/storage/disk-reserve.ts'
import { prepareDataFolder } from '#server/platform/storage/folders.ts'
import { openStorage } from '#server/platform/storage/open-storage.ts'
import { isDiskFull } from '#server/platform/storage/storage.ts'

export interface RunningContext extends AppContext {
  /** Tells long work to hand itself back. */
  announceStop(): void
  /** Has `close` run this too, before what was opened earlier. */
  beforeClose(closer: () => Promise<unknown>): void
  /**
   * Closes everything in the reverse order of opening: queue, mail, database, PostgreSQL last. What cannot be closed well
   * leaves nothing else open; the first error is thrown.
   */
  close(): Promise<void>
  /** Resolves when what the program stands on is gone for good. */
  failed: Promise<Error>
}

interface Options {
  log: Log
  jobs: readonly Job<object>[]
  hooks: Hooks
  /** For tests alone: another clock and mail transport, a longer database timeout, media tools that are already confined. */
  overrides?: Partial<Pick<AppContext, 'mail' | 'now' | 'tools'>> & { patience?: DatabasePatience }
}

/** Builds everything the use cases need; what was opened is closed again when a later part cannot be. */
export async function createContext(config: Config, options: Options): Promise<RunningContext> {
  const closers: (() => Promise<unknown>)[] = []
  async function close(): Promise<void> {
    const errors: unknown[] = []
    for (const closer of closers.splice(0).reverse()) {
      await closer().catch((error) => errors.push(error))
    }
    if (errors.length > 0) throw errors[0]
  }
  try {
    return await open(config, options, closers, close)
  } catch (error) {
    await close().catch((err) => options.log.error({ err }, 'the stop was not clean'))
    throw error
  }
}

async function open(
  config: Config,
  { log, jobs, hooks, overrides = {} }: Options,
  closers: (() => Promise<unknown>)[],
  close: () => Promise<void>,
): Promise<RunningContext> {
  const now = overrides.now ?? (() => new Date())
  await prepareDataFolder(config.dataDir)
  await sweepScratch()
  const disk = openReserve(config, log)
  closers.push(async () => disk.close())
  const storage = disk.guard(await openStorage(config))
  await storage.check().catch((error) => {
    // What can be read, deleted and opened without any room is worth a start.
    if (!isDiskFull(error)) throw error
    log.warn('there is no room left for files')
  })
  const mail = overrides.mail ?? openOwnMail(config, log)
  closers.push(() => mail.close())
  // Each waits for other programs, and neither for the other.
  const [tools, { connection, failed }] = await allOpened([
    overrides.tools ?? openTools(config, log, closers),
    obtainPostgres(config, log, closers),
  ])
  const {
    pool,
    db,
    close: closeDatabase,
  } = openDatabase({ ...connection, ...overrides.patience }, log, { sharesReads: true })
  closers.push(closeDatabase)
  const searches = openSearches(connection, config.searchTimeoutMs, log)
  closers.push(searches.close)
  await connected(config, () => requireNoUnfinishedRestore(pool))
  const onNotice = (notice: string) => log.info({ notice }, 'a migration says what it changed')
  const applied = await connected(config, () => migrate(pool, { onNotice }))
  if (applied.length > 0) log.info({ applied }, 'the database was migrated')
  const keyring = await unlock(config, db, now, log)
  const boss = await startQueue(pool, jobs, { runsJobs: config.role !== 'api', log })
  closers.push(() => boss.stop({ graceful: true, timeout: 10_000 }))
  closers.push(closePlainSources)
  const events = openPublisher(pool, log)
  closers.push(() => events.close())
  const stopping = new AbortController()
  return {
    config,
    db,
    searches,
    jobs: jobsOn(boss, db),
    events,
    hooks,
    mail: watchMail(mail, { log, now }),
    storage,
    disk,
    keyring,
    tools,
    log,
    now,
    stopping: stopping.signal,
    boss,
    pool,
    beforeClose: (closer) => closers.push(closer),
    announceStop: () => stopping.abort(new Error('The program is stopping')),
    close,
    failed,
  }
}

/** What they resolve to. When one rejects, it does so once all ended: what was opened meanwhile is among the closers. */
async function allOpened<T extends readonly unknown[]>(
  opening: readonly [...T],
): Promise<{ -readonly [I in keyof T]: Awaited<T[I]> }> {
  await Promise.allSettled(opening)
  return Promise.all(opening)
}

/** Mails leave from workers. */
function openOwnMail(config: Config, log: Log): MailTransport {
  const mail = openMail(config)
  if (config.role !== 'api') checkMailDestination(mail, config, log)
  return mail
}

/** Of the disks that hold what the program writes; a bucket and a database server look after their own. */
function openReserve(config: Config, log: Log): DiskReserve {
  const { dataDir, databaseUrl, s3, diskReserveBytes } = config
  const postgres = path.join(dataDir, 'postgres')
  return openDiskReserve({
    reserveBytes: diskReserveBytes,
    folders: [
      ...(s3 ? [] : [path.join(dataDir, 'files')]),
      ...(databaseUrl === undefined ? [dataDir, postgres, path.join(postgres, 'pg_wal')] : []),
    ],
    hasFiles: s3 === undefined,
    log,
  })
}

async function openTools(
  config: Config,
  log: Log,
  closers: (() => Promise<unknown>)[],
): Promise<ConfinedTools> {
  await checkTools(config.tools)
  const tools = await confineTools(config.tools, log, secretFolders(config))
  closers.push(async () => tools.close())
  return tools
}

/** What no tool has any business with: data and keys, and the sockets by which this account is known to PostgreSQL. */
function secretFolders({ dataDir, masterKeyFile }: Config): string[] {
  const keyFolder = masterKeyFile === undefined ? [] : [path.dirname(path.resolve(masterKeyFile))]
  return [dataDir, ...keyFolder, '/run/secrets', '/run/postgresql']
}

async function obtainPostgres(
  config: Config,
  log: Log,
  closers: (() => Promise<unknown>)[],
): Promise<{ connection: pg.PoolConfig; failed: Promise<Error> }> {
  if (config.databaseUrl !== undefined) {
    return {
      connection: { connectionString: config.databaseUrl },
      failed: new Promise(() => undefined),
    }
  }
  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, log })
  closers.push(() => postgres.stop())
  return { connection: postgres.connection, failed: postgres.exited }
}

/** A database server that cannot be reached is the operator's to mend: one sentence, without its password. */
async function connected<T>(config: Config, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof StartError || config.databaseUrl === undefined) throw error
    const { code, message } = error as { code?: string; message: string }
    const isConnection = code === undefined || /^(E[A-Z]+|28|3D|08|57P)/.test(code)
    if (!isConnection) throw error
    const cause = message || code
    throw new StartError(
      `DATABASE_URL cannot be used: the PostgreSQL server answered « ${cause} ».`,
    )
  }
}

async function unlock(
  config: Config,
  db: Database['db'],
  now: () => Date,
  log: Log,
): Promise<Keyring> {
  const { dataDir, masterKeyFile } = config
  const expectedFingerprint = await findKeyFingerprint(db)
  const keyring = await loadKeyring({ dataDir, masterKeyFile, expectedFingerprint, log })
  const stored = await insertKeyFingerprint(db, keyring.fingerprint, now())
  if (!stored.equals(keyring.fingerprint)) {
    throw new StartError(
      'Another program sealed this database with another master key at this moment: use the same one.',
    )
  }
  return keyring
}
