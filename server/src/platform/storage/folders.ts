import { randomUUID } from 'node:crypto'
import { chown, lchown, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { StartError } from '#server/platform/start-error.ts'

/** A new name in a folder is only safe from a power cut once the folder itself is on the disk. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Renames `from` to `to`, somewhere under `root`, and resolves when a power cut cannot undo it. */
export async function moveInto(root: string, from: string, to: string): Promise<void> {
  const parent = dirname(to)
  await mkdir(parent, { recursive: true, mode: 0o700 })
  await rename(from, to)
  // Up to the root, even when the folders were there: another process may have only just made them.
  for (let folder = parent; ; folder = dirname(folder)) {
    await syncFolder(folder)
    if (folder === root || folder === dirname(folder)) return
  }
}

/**
 * Makes a folder that an operator names, and those above it. Node’s own way (`recursive`) never ends where the system says
 * that there is no such folder of one whose parent is there, as in /proc.
 */
export async function makeFolder(folder: string, mode = 0o777): Promise<void> {
  try {
    await mkdir(folder, { mode })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return
    if (code !== 'ENOENT' || (await unlessAbsent(stat(dirname(folder))))) throw error
    await makeFolder(dirname(folder), mode)
    await mkdir(folder, { mode }).catch((failure: NodeJS.ErrnoException) => {
      if (failure.code !== 'EEXIST') throw failure
    })
  }
}

/** Makes DATA_DIR where it is missing, and refuses one that this program cannot write to. */
export async function prepareDataFolder(folder: string): Promise<void> {
  const probe = join(folder, `.probe-${randomUUID()}`)
  try {
    await makeFolder(folder)
    // Empty: a disk without room is no reason not to start.
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

/** Makes a folder and all it holds belong to an account; itself last, so that a kill is made good. */
export async function giveFolder(
  folder: string,
  { uid, gid }: { uid: number; gid: number },
): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true })) {
    await lchown(join(folder, entry), uid, gid)
  }
  await chown(folder, uid, gid)
}

/** The paths, relative to `root`, of the files whose path begins with `prefix`; dot files are not seen. */
export async function* walkFiles(root: string, prefix: string): AsyncGenerator<string> {
  const within = prefix.slice(0, prefix.lastIndexOf('/') + 1)
  const entries = await unlessAbsent(readdir(join(root, within), { withFileTypes: true }))
  for (const entry of entries ?? []) {
    const path = within + entry.name
    if (entry.name.startsWith('.')) continue
    if (entry.isDirectory() && `${path}/`.startsWith(prefix)) yield* walkFiles(root, `${path}/`)
    else if (entry.isFile() && path.startsWith(prefix)) yield path
  }
}

export async function unlessAbsent<T>(work: Promise<T>): Promise<T | undefined> {
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
