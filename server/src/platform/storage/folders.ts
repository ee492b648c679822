import { randomUUID } from 'node:crypto'
import { chown, lchown, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { StartError } from '#server/platform/start-error.ts'

/** Writes a folder to the disk: only then is a new name in it safe from a power cut. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Renames `from` to `to`, somewhere under `root`; resolves once a power cut cannot undo it. */
export async function moveInto(root: string, from: string, to: string): Promise<void> {
  const parent = dirname(to)
  await mkdir(parent, { recursive: true, mode: 0o700 })
  await rename(from, to)
  // Up to the root, even through existing folders: another process may have just created them.
  for (let folder = parent; ; folder = dirname(folder)) {
    await syncFolder(folder)
    if (folder === root || folder === dirname(folder)) return
  }
}

/**
 * Creates a folder that an operator names, and its parents. Node's own option (`recursive`) never ends where the system
 * answers ENOENT although the parent exists, as in /proc.
 */
export async function createFolder(folder: string, mode = 0o777): Promise<void> {
  try {
    await mkdir(folder, { mode })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return
    if (code !== 'ENOENT' || (await ignoreMissing(stat(dirname(folder))))) throw error
    await createFolder(dirname(folder), mode)
    await mkdir(folder, { mode }).catch((failure: NodeJS.ErrnoException) => {
      if (failure.code !== 'EEXIST') throw failure
    })
  }
}

/** Creates DATA_DIR if it is missing, and refuses a folder that this program cannot write to. */
export async function prepareDataFolder(folder: string): Promise<void> {
  const probe = join(folder, `.probe-${randomUUID()}`)
  try {
    await createFolder(folder)
    // An empty file: a program starts on a full disk.
    await writeFile(probe, '')
    await rm(probe)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const reason = REASONS[code ?? ''] ?? message
    throw new StartError(
      `DATA_DIR « ${folder} » cannot be used, ${reason}: choose a folder that this program may write to.`,
    )
  }
}

const REASONS: Record<string, string> = {
  EEXIST: 'it is a file',
  ENOTDIR: 'something above it is a file',
  ENOENT: 'no folder can be made there',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'that disk is read-only',
  ENOSPC: 'that disk is full',
}

/** Changes the owner of a folder and of its content; the folder comes last, so that a run after a kill completes it. */
export async function changeOwner(
  folder: string,
  { uid, gid }: { uid: number; gid: number },
): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true })) {
    await lchown(join(folder, entry), uid, gid)
  }
  await chown(folder, uid, gid)
}

/** The paths, relative to `root`, of the files whose path starts with `prefix`, without dot files. */
export async function* walkFiles(root: string, prefix: string): AsyncGenerator<string> {
  const within = prefix.slice(0, prefix.lastIndexOf('/') + 1)
  const entries = await ignoreMissing(readdir(join(root, within), { withFileTypes: true }))
  for (const entry of entries ?? []) {
    const path = within + entry.name
    if (entry.name.startsWith('.')) continue
    if (entry.isDirectory() && `${path}/`.startsWith(prefix)) yield* walkFiles(root, `${path}/`)
    else if (entry.isFile() && path.startsWith(prefix)) yield path
  }
}

export async function ignoreMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (isAbsent(error)) return undefined
    throw error
  }
}

function isAbsent(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')
}
