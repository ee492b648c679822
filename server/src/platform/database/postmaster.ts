import { spawn } from 'node:child_process'
import { mkdir, open, readFile, readlink, realpath, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { StartError } from '#server/platform/start-error.ts'
import {
  createSocketFolder,
  ensureOwner,
  POSTGRES_PORT,
  type PostgresFolder,
  SOCKET_FILE,
} from './postgres-folder.ts'
import {
  causeIn,
  commandAs,
  type PostgresAccount,
  type PostgresBinaries,
} from './postgres-programs.ts'

const ANSWER_TIMEOUT_MS = 30_000
const PREDECESSOR_TIMEOUT_MS = 15_000
const FAST_STOP_TIMEOUT_MS = 60_000
const LOG_FILE_LIMIT_BYTES = 5 * 1024 * 1024

// SQLSTATE of a server that is starting, recovering or stopping.
const CANNOT_CONNECT_NOW = '57P03'
// A predecessor that is still ending: its lock file or its shared memory is there for a moment.
const PREDECESSOR = /lock file "postmaster\.pid" already exists|shared memory block .* in use/

export interface Postmaster {
  folder: PostgresFolder
  binaries: PostgresBinaries
  account: PostgresAccount
  /** Where it listens; chosen at the first start, then unchanged. */
  socketFolder: string | undefined
  durable: boolean
}

/**
 * A superuser's connection to the server that already runs on this folder; waits for one that starts or stops. The lock
 * file may be stale or copied from elsewhere: only the answer of the server counts.
 */
export async function connectToRunning(folder: PostgresFolder): Promise<pg.Client | undefined> {
  const deadline = Date.now() + ANSWER_TIMEOUT_MS
  for (;;) {
    const pidFile = await readPidFile(folder)
    if (!pidFile || !(await isPrivate(pidFile.socketFolder, folder))) return undefined
    try {
      return await connectTo(pidFile.socketFolder, folder)
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      if (code === 'ENOENT' || code === 'ECONNREFUSED') return undefined
      if (code !== CANNOT_CONNECT_NOW && Date.now() > deadline) {
        throw new StartError(
          `PostgreSQL (process ${pidFile.pid}) runs on ${folder.data} and does not answer: ${message}.`,
        )
      }
    }
    await delay(50)
  }
}

// In a temporary folder anybody could have created a socket of that name.
async function isPrivate(socketFolder: string, { data }: PostgresFolder): Promise<boolean> {
  const facts = await stat(socketFolder).catch(() => undefined)
  const { uid } = await stat(data)
  return facts !== undefined && facts.uid === uid && (facts.mode & 0o077) === 0
}

async function connectTo(
  socketFolder: string,
  { data }: PostgresFolder,
): Promise<pg.Client | undefined> {
  const client = new pg.Client({
    host: socketFolder,
    port: POSTGRES_PORT,
    user: 'postgres',
    database: 'postgres',
    application_name: `revelations (process ${process.pid})`,
    connectionTimeoutMillis: 5_000,
  })
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query('show data_directory')
  const directory = await realpath(rows[0].data_directory).catch(() => undefined)
  if (directory === data) return client
  await client.end()
  return undefined
}

/** Starts PostgreSQL on the folder, or connects to the one another program has just started there. */
export async function startPostmaster(postmaster: Postmaster): Promise<pg.Client> {
  const { folder } = postmaster
  const deadline = Date.now() + PREDECESSOR_TIMEOUT_MS
  postmaster.socketFolder ??= await createSocketFolder(folder)
  for (;;) {
    await removeForeignLocks(folder, postmaster.socketFolder)
    const failure = await runPostmaster(postmaster, postmaster.socketFolder)
    const client = await connectToRunning(folder)
    if (client) return client
    const mayPass = failure === undefined || PREDECESSOR.test(failure)
    if (!mayPass || Date.now() > deadline) {
      throw new StartError(`PostgreSQL does not start on ${folder.data}: ${failure ?? 'it ends'}.`)
    }
    await delay(50)
  }
}

/** Resolves once PostgreSQL is ready, or with the reason why it ended. The process outlives this program. */
async function runPostmaster(
  { folder, account, binaries, durable }: Postmaster,
  socketFolder: string,
): Promise<string | undefined> {
  await ensureOwner(account, folder.data)
  await mkdir(socketFolder, { recursive: true, mode: 0o700 })
  await ensureOwner(account, socketFolder)
  const log = await openLogFile(folder.logFile)
  const { size } = await log.stat()
  const settings = Object.entries(settingsOf(socketFolder, durable))
  const { file, args, options } = commandAs(account, [
    binaries.postgres,
    `-D${folder.data}`,
    ...settings.map(([name, value]) => `--${name}=${value}`),
  ])
  const child = spawn(file, args, { ...options, detached: true, stdio: ['ignore', log.fd, log.fd] })
  child.on('error', () => {})
  child.unref()
  await log.close()
  while (child.exitCode === null && child.signalCode === null) {
    const pidFile = await readPidFile(folder)
    if (pidFile?.pid === child.pid && pidFile?.ready) return undefined
    await delay(10)
  }
  return causeIn((await readFile(folder.logFile)).subarray(size).toString())
}

/** Without the first two a commit survives the program but not the machine. */
export function safetySettings(durable: boolean): Record<string, string> {
  const safety = durable ? 'on' : 'off'
  return { fsync: safety, full_page_writes: safety, synchronous_commit: 'on' }
}

function settingsOf(socketFolder: string, durable: boolean): Record<string, string> {
  return {
    ...safetySettings(durable),
    listen_addresses: '',
    unix_socket_directories: `"${socketFolder}"`,
    unix_socket_permissions: '0700',
    port: String(POSTGRES_PORT),
    timezone: 'UTC',
    log_timezone: 'UTC',
    lc_messages: 'C',
    jit: 'off',
    // Of a solid-state disk: with that of one that turns, tables of a few thousand rows are read from one end to the other.
    random_page_cost: '1.1',
    // Half of the space that DISK_RESERVE_MB leaves free for PostgreSQL.
    max_wal_size: '512MB',
    // Failed queries may quote people's data: they go to the client, and only the life of the server to the log.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_checkpoints: 'off',
  }
}

async function openLogFile(file: string) {
  const { size } = await stat(file).catch(() => ({ size: 0 }))
  if (size > LOG_FILE_LIMIT_BYTES) await rename(file, `${file}.old`)
  return open(file, 'a', 0o600)
}

/** Fast shutdown: open transactions are rolled back, everything committed is on the disk at the end. */
export async function stopPostmaster(folder: PostgresFolder): Promise<void> {
  const pid = (await readPidFile(folder))?.pid
  if (pid === undefined || !sendSignal(pid, 'SIGINT')) return
  let deadline = Date.now() + FAST_STOP_TIMEOUT_MS
  while ((await readPidFile(folder))?.pid === pid) {
    if (!sendSignal(pid, 0) || !(await mayBePostmaster(pid, folder.data))) return
    if (Date.now() > deadline) {
      sendSignal(pid, 'SIGQUIT')
      deadline = Number.POSITIVE_INFINITY
    }
    await delay(20)
  }
}

interface PidFile {
  pid: number
  socketFolder: string
  ready: boolean
}

function pidFileOf(data: string): string {
  return path.join(data, 'postmaster.pid')
}

/** The file in which PostgreSQL described itself at its start; the process may have ended since. */
async function readPidFile({ data }: PostgresFolder): Promise<PidFile | undefined> {
  const text = await readFile(pidFileOf(data), 'utf8').catch(() => '')
  const [pid, , , , socketFolder = '', , , status = ''] = text.split('\n')
  if (!Number(pid)) return undefined
  return { pid: Number(pid), socketFolder, ready: status.trim() === 'ready' }
}

/**
 * Removes lock files whose number belongs to another program by now, or to a process that ended and was not reaped:
 * PostgreSQL would refuse to start because of them.
 */
async function removeForeignLocks({ data }: PostgresFolder, socketFolder: string): Promise<void> {
  for (const file of [pidFileOf(data), path.join(socketFolder, `${SOCKET_FILE}.lock`)]) {
    const pid = Number.parseInt(await readFile(file, 'utf8').catch(() => ''), 10)
    if (sendSignal(pid, 0) && !(await mayBePostmaster(pid, data))) await rm(file, { force: true })
  }
}

/** A postmaster works in its data folder. Where the kernel does not show it, the process may be one. */
async function mayBePostmaster(pid: number, data: string): Promise<boolean> {
  const facts = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const ended = /^Z|^X/.test(facts.slice(facts.lastIndexOf(')') + 2))
  return !ended && (await readlink(`/proc/${pid}/cwd`).catch(() => data)) === data
}

/** False when there is no such process, or it is not ours. */
function sendSignal(pid: number, name: NodeJS.Signals | 0): boolean {
  // 0 and negative numbers would reach whole groups of processes.
  if (!(pid > 0)) return false
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}
