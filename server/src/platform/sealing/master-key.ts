import { randomBytes } from 'node:crypto'
import { chmod, link, mkdir, open, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from '#server/platform/start-error.ts'
import { syncFolder } from '#server/platform/storage/folders.ts'

const MASTER_KEY_SIZE = 32
const MASTER_KEY_PATTERN = /^[0-9a-f]{64}\s*$/i

interface Options {
  dataDir: string
  masterKeyFile: string | undefined
  mayCreate: boolean
  log: { warn(sentence: string): void }
}

/** The key in `masterKeyFile`, which must exist if it is named; otherwise the key in `dataDir`, created if allowed. */
export async function loadMasterKey(
  options: Options,
): Promise<{ masterKey: Buffer; path: string }> {
  const { dataDir, masterKeyFile, mayCreate, log } = options
  if (masterKeyFile !== undefined) {
    const masterKey = await readMasterKey(masterKeyFile)
    if (masterKey) return { masterKey, path: masterKeyFile }
    throw new StartError(`MASTER_KEY_FILE names "${masterKeyFile}", which does not exist.`)
  }

  const folder = join(dataDir, 'keys')
  const path = join(folder, 'master.key')
  const stored = await readMasterKey(path)
  if (!stored && !mayCreate) {
    throw new StartError(
      `The database holds sealed revelations, but their master key "${path}" is missing: put your copy of it back, or name it with MASTER_KEY_FILE.`,
    )
  }
  const masterKey = stored ?? (await createMasterKey(dataDir, folder, path, log))
  await restrictAccess(folder, 0o700, log)
  await restrictAccess(path, 0o600, log)
  // A key that a power cut could still delete must seal nothing.
  await syncFolder(folder)
  await syncFolder(dataDir)
  return { masterKey, path }
}

async function readMasterKey(path: string): Promise<Buffer | undefined> {
  let text: string
  try {
    const file = await open(path)
    try {
      // A wrong path may name a film: a few bytes suffice to see it.
      const { buffer, bytesRead } = await file.read(Buffer.alloc(256), 0, 256, 0)
      text = buffer.toString('latin1', 0, bytesRead)
    } finally {
      await file.close()
    }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw new StartError(`The master key "${path}" cannot be read (${codeOf(error)}).`)
  }
  if (!MASTER_KEY_PATTERN.test(text)) {
    throw new StartError(
      `"${path}" is not a master key: it must hold one line of 64 hexadecimal digits.`,
    )
  }
  return Buffer.from(text.trim(), 'hex')
}

async function createMasterKey(
  dataDir: string,
  folder: string,
  path: string,
  log: Options['log'],
): Promise<Buffer> {
  const masterKey = randomBytes(MASTER_KEY_SIZE)
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  try {
    // Two steps: PostgreSQL, under its own account, must be able to cross `dataDir`.
    await mkdir(dataDir, { recursive: true })
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const file = await open(draft, 'wx', 0o600)
    try {
      await file.writeFile(`${masterKey.toString('hex')}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    // Unlike a rename, a link never replaces the key that another process has just made.
    await link(draft, path)
  } catch (error) {
    const other = codeOf(error) === 'EEXIST' ? await readMasterKey(path) : undefined
    if (other) return other
    throw new StartError(`The master key cannot be written to "${path}" (${codeOf(error)}).`)
  } finally {
    await unlink(draft).catch(() => {})
  }
  log.warn(
    `A master key was made in "${path}". Copy it to a second safe place now, apart from the backups: without it nothing sealed can ever be opened.`,
  )
  return masterKey
}

async function restrictAccess(path: string, mode: number, log: Options['log']): Promise<void> {
  try {
    if (((await stat(path)).mode & 0o777) !== mode) await chmod(path, mode)
  } catch (error) {
    log.warn(`Others may read "${path}", and its rights cannot be changed (${codeOf(error)}).`)
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown error'
}
