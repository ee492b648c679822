import { execFile } from 'node:child_process'
import {
  access,
  chmod,
  constants,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { StartError } from '#server/platform/start-error.ts'
import { changeOwner } from '#server/platform/storage/folders.ts'
import {
  causeOf,
  commandAs,
  type PostgresAccount,
  type PostgresBinaries,
} from './postgres-programs.ts'

const run = promisify(execFile)

// A socket's path must fit in 104 bytes on macOS, 108 on Linux, with a final zero.
const LONGEST_SOCKET_PATH = 103
export const POSTGRES_PORT = 5432
export const SOCKET_FILE = `.s.PGSQL.${POSTGRES_PORT}`

export interface PostgresFolder {
  /** As the operator named it, without symlinks. */
  dataDir: string
  /** PostgreSQL's own folder inside it. */
  data: string
  logFile: string
}

interface DatabaseFiles {
  folder: PostgresFolder
  binaries: PostgresBinaries
  account: PostgresAccount
  durable: boolean
}

export async function openPostgresFolder(dataDir: string): Promise<PostgresFolder> {
  try {
    // Root's PostgreSQL runs as somebody else, who must be able to pass through.
    const mode = process.getuid?.() === 0 ? 0o711 : 0o700
    await mkdir(dataDir, { recursive: true, mode })
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new StartError(`DATA_DIR cannot be written (${causeOf(error)}).`)
  }
  const real = await realpath(dataDir)
  return {
    dataDir: real,
    data: path.join(real, 'postgres'),
    logFile: path.join(real, 'postgres.log'),
  }
}

/** Creates the database files when there are none; refuses files of another major version. */
export async function ensureDatabaseFiles(recipe: DatabaseFiles): Promise<void> {
  const { folder, binaries } = recipe
  const major = await readMajor(folder.data)
  if (major === undefined) return createDatabaseFiles(recipe)
  if (major !== binaries.major) {
    throw new StartError(
      `${folder.data} was written by PostgreSQL ${major} and this program brings ${binaries.major}: start the version that wrote it, dump it, and restore the dump into an empty DATA_DIR.`,
    )
  }
}

async function readMajor(data: string): Promise<string | undefined> {
  try {
    return (await readFile(path.join(data, 'PG_VERSION'), 'utf8')).trim()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT') throw new StartError(`${data} cannot be read (${message}).`)
  }
  const entries = await readdir(data).catch(() => [])
  if (entries.length > 0) {
    throw new StartError(`${data} is not empty and holds no PostgreSQL data: move it away.`)
  }
  return undefined
}

/** An incomplete folder never has the final name: a kill in the middle costs only time. */
async function createDatabaseFiles({
  folder: { data },
  binaries,
  account,
  durable,
}: DatabaseFiles): Promise<void> {
  const draft = await mkdtemp(`${data}.new-`)
  try {
    await ensureOwner(account, draft)
    const { file, args, options } = commandAs(account, [
      binaries.initdb,
      `--pgdata=${draft}`,
      '--username=postgres',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--auth-local=trust',
      '--auth-host=reject',
      '--no-instructions',
      ...(durable ? [] : ['--no-sync']),
    ])
    await run(file, args, options)
    await rename(draft, data)
    await syncFolder(path.dirname(data))
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    // Of two first starts at once the other one was quicker: its files serve both.
    if (await readMajor(data)) return
    throw new StartError(`PostgreSQL cannot create its files in ${data} (${causeOf(error)}).`)
  }
}

/**
 * Removes the drafts of first starts that were killed; only for the program that has the folder. A draft that another
 * first start still writes may remain: its writer removes it.
 */
export async function removeDrafts({ dataDir, data }: PostgresFolder): Promise<void> {
  for (const name of await readdir(dataDir)) {
    const file = path.join(dataDir, name)
    if (!file.startsWith(`${data}.new-`)) continue
    await rm(file, { recursive: true, force: true }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY') throw error
    })
  }
}

/** Changes the owner of the folder and of its content to the account, unless the account owns it already. */
export async function ensureOwner(account: PostgresAccount, folder: string): Promise<void> {
  const { uid } = await stat(folder)
  if (uid === account.uid) return
  if (process.getuid?.() !== 0) {
    throw new StartError(`${folder} belongs to another user (uid ${uid}).`)
  }
  await changeOwner(folder, account)
}

/** A private folder for the socket: in the data folder, or in the temporary one when the path is too long. */
export async function createSocketFolder({ dataDir }: PostgresFolder): Promise<string> {
  const near = path.join(dataDir, 'run')
  if (fits(near)) {
    await mkdir(near, { recursive: true })
    await chmod(near, 0o700)
    return near
  }
  const far = path.join(tmpdir(), 'revelations-')
  return mkdtemp(fits(`${far}XXXXXX`) ? far : '/tmp/revelations-')
}

export async function removeSocketFolder(
  { dataDir }: PostgresFolder,
  socketFolder: string,
): Promise<void> {
  if (path.dirname(socketFolder) !== dataDir) await rmdir(socketFolder).catch(() => {})
}

function fits(socketFolder: string): boolean {
  return Buffer.byteLength(path.join(socketFolder, SOCKET_FILE)) <= LONGEST_SOCKET_PATH
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
