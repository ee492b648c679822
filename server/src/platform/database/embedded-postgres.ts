import { realpath } from 'node:fs/promises'
import path from 'node:path'
import type pg from 'pg'
import type { Log } from '#server/platform/log.ts'
import { StartError } from '#server/platform/start-error.ts'
import {
  ensureDatabaseFiles,
  openPostgresFolder,
  POSTGRES_PORT,
  removeDrafts,
  removeSocketFolder,
} from './postgres-folder.ts'
import { choosePostgresAccount, findPostgresBinaries } from './postgres-programs.ts'
import {
  connectToRunning,
  type Postmaster,
  safetySettings,
  startPostmaster,
  stopPostmaster,
} from './postmaster.ts'

export interface EmbeddedPostgres {
  /** For the application: owner of its database, not a superuser. */
  connection: { host: string; port: number; user: string; database: string }
  /** Resolves when PostgreSQL is gone and could not be brought back: the program cannot go on. */
  exited: Promise<Error>
  /** Fast shutdown, awaited. Close the pool first. */
  stop(): Promise<void>
}

/** The connection as an address: the host stands in its query, since it may be the folder of a socket. */
export function connectionUrl(
  connection: EmbeddedPostgres['connection'] & { password?: string },
): string {
  const { database, port, ...rest } = connection
  return `postgresql:///${database}?${new URLSearchParams({ ...rest, port: String(port) })}`
}

/** Name of the application's database and of the role that owns it. */
const APPLICATION = 'revelations'
const FOLDER_LOCK = 20_271_231
const LOCK_WAIT_MS = 2_000
const LOCK_NOT_AVAILABLE = '55P03'
const RESTART_LIMIT = 5
const RESTART_WINDOW_MS = 60_000
const SLOW_START_MS = 5_000

/**
 * Starts PostgreSQL on a folder of its own, for this program alone, or takes over the one that outlived a killed
 * program; starts it again when it dies. `durable: false` is for tests only.
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string
  log: Pick<Log, 'info' | 'warn'>
  durable?: boolean
}): Promise<EmbeddedPostgres> {
  const { dataDir, log, durable = true } = options
  const startedAt = Date.now()
  const slow = setTimeout(() => log.info('PostgreSQL is still starting'), SLOW_START_MS)
  try {
    const postmaster = await preparePostmaster(dataDir, durable)
    const folderLock = await acquireFolder(postmaster, log)
    await prepareDatabase(postmaster, folderLock)
    const { version } = postmaster.binaries
    const durationMs = Date.now() - startedAt
    log.info({ version, folder: postmaster.folder.data, durationMs }, 'PostgreSQL is running')
    return supervise(postmaster, folderLock, log)
  } finally {
    clearTimeout(slow)
  }
}

async function preparePostmaster(dataDir: string, durable: boolean): Promise<Postmaster> {
  const folder = await openPostgresFolder(dataDir)
  const binaries = await findPostgresBinaries()
  const account = await choosePostgresAccount(binaries, folder)
  await ensureDatabaseFiles({ folder, binaries, account, durable })
  return { folder, binaries, account, durable, socketFolder: undefined }
}

/** The connection whose session lock reserves the folder. The kernel closes it with this process, even by kill -9. */
interface FolderLock {
  client: pg.Client
  lost: Promise<void>
}

async function acquireFolder(postmaster: Postmaster, log: Pick<Log, 'info'>): Promise<FolderLock> {
  const folderLock = await connectAndLock(postmaster)
  const difference = await findDifference(folderLock.client, postmaster)
  if (!difference) return folderLock
  log.info({ difference }, 'PostgreSQL was left running by another version: starting ours')
  await stopPostmaster(postmaster.folder)
  const own = await connectAndLock(postmaster)
  const remaining = await findDifference(own.client, postmaster)
  if (remaining) throw new StartError(`PostgreSQL does not run as it must: ${remaining}.`)
  return own
}

async function connectAndLock(postmaster: Postmaster): Promise<FolderLock> {
  const { folder } = postmaster
  const client = (await connectToRunning(folder)) ?? (await startPostmaster(postmaster))
  const lost = new Promise<void>((resolve) => client.once('end', () => resolve()))
  // The application goes on connecting here: a restarted PostgreSQL must listen at the same place.
  postmaster.socketFolder = client.host
  try {
    await client.query(`set lock_timeout = ${LOCK_WAIT_MS}`)
    await client.query('select pg_advisory_lock($1)', [FOLDER_LOCK])
    return { client, lost }
  } catch (error) {
    const isLocked = (error as pg.DatabaseError).code === LOCK_NOT_AVAILABLE
    const owner = isLocked && (await findOwner(client))
    await client.end()
    if (!isLocked) throw error
    throw new StartError(
      `${folder.dataDir} is in use by another program, ${owner}: stop that one first, or choose another DATA_DIR.`,
    )
  }
}

async function findOwner(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `select application_name as name from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and objid = $1 and granted`,
    [FOLDER_LOCK],
  )
  return rows[0]?.name ?? 'which has just ended'
}

async function findDifference(
  client: pg.Client,
  { binaries, durable }: Postmaster,
): Promise<string | undefined> {
  const expected: Record<string, string> = {
    server_version: binaries.version,
    ...safetySettings(durable),
  }
  const { rows } = await client.query<{ name: string; setting: string }>(
    'select name, setting from pg_settings where name = any($1)',
    [Object.keys(expected)],
  )
  const wrong = rows.find(({ name, setting }) => setting.split(' ')[0] !== expected[name])
  return wrong && `${wrong.name} is ${wrong.setting}`
}

/** A failure here releases the folder, or the refused program would keep it locked until it is killed. */
async function prepareDatabase({ folder }: Postmaster, { client }: FolderLock): Promise<void> {
  try {
    await removeDrafts(folder)
    await ensureDatabase(client)
  } catch (error) {
    await client.end()
    throw error
  }
}

/** The application is not a superuser: a query it should not have sent cannot read files or run commands. */
async function ensureDatabase(client: pg.Client): Promise<void> {
  const role = await client.query('select from pg_roles where rolname = $1', [APPLICATION])
  if (role.rowCount === 0) await client.query(`create role ${APPLICATION} login`)
  const database = await client.query('select from pg_database where datname = $1', [APPLICATION])
  if (database.rowCount === 0) {
    await client.query(`create database ${APPLICATION} owner ${APPLICATION}`)
  }
}

function supervise(
  postmaster: Postmaster,
  first: FolderLock,
  log: Pick<Log, 'info' | 'warn'>,
): EmbeddedPostgres {
  let current: Promise<FolderLock | undefined> = Promise.resolve(first)
  let stopped: Promise<void> | undefined
  const exited = new Promise<Error>((resolve) => {
    async function watch(folderLock: FolderLock): Promise<void> {
      await folderLock.lost
      if (stopped) return
      current = restart(postmaster, log, restarts).catch((error) => {
        resolve(error)
        return undefined
      })
      const next = await current
      if (next) await watch(next)
    }
    const restarts: number[] = []
    void watch(first)
  })

  async function stop(): Promise<void> {
    const folderLock = await current
    if (!folderLock) return
    await stopPostmaster(postmaster.folder)
    await folderLock.client.end()
    await removeSocketFolder(postmaster.folder, folderLock.client.host)
  }

  return {
    connection: {
      host: first.client.host,
      port: POSTGRES_PORT,
      user: APPLICATION,
      database: APPLICATION,
    },
    exited,
    stop: () => {
      stopped ??= stop()
      return stopped
    },
  }
}

async function restart(
  postmaster: Postmaster,
  log: Pick<Log, 'info' | 'warn'>,
  restarts: number[],
): Promise<FolderLock> {
  for (;;) {
    restarts.push(Date.now())
    const recent = restarts.filter((at) => at > Date.now() - RESTART_WINDOW_MS).length
    if (recent > RESTART_LIMIT) throw new Error(`PostgreSQL ended ${recent} times in a minute`)
    log.warn({ attempt: recent }, 'PostgreSQL is gone: bringing it back')
    try {
      const folderLock = await acquireFolder(postmaster, log)
      log.info('PostgreSQL is back')
      return folderLock
    } catch (error) {
      if (error instanceof StartError) throw error
      log.warn({ error: String(error) }, 'PostgreSQL did not come back')
    }
  }
}

/**
 * Where to connect to the PostgreSQL of a program that runs on this folder; `StartError` when none does. Starts nothing
 * and takes nothing over.
 */
export async function findRunningPostgres(
  dataDir: string,
): Promise<EmbeddedPostgres['connection']> {
  const real = await realpath(dataDir).catch(() => undefined)
  const folder = real && {
    dataDir: real,
    data: path.join(real, 'postgres'),
    logFile: path.join(real, 'postgres.log'),
  }
  const client = folder && (await connectToRunning(folder))
  if (!client) throw notRunning(dataDir)
  try {
    const { rowCount } = await client.query(
      `select from pg_locks where locktype = 'advisory' and objid = $1 and granted`,
      [FOLDER_LOCK],
    )
    // Without the lock, this PostgreSQL has outlived the program that started it.
    if (rowCount === 0) throw notRunning(dataDir)
    return { host: client.host, port: POSTGRES_PORT, user: APPLICATION, database: APPLICATION }
  } finally {
    await client.end()
  }
}

function notRunning(dataDir: string): StartError {
  return new StartError(
    `No program that this user may see runs on ${dataDir}: start it first (script/server), or say its DATA_DIR or DATABASE_URL.`,
  )
}
