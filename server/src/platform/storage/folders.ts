import { mkdir, open, readdir, rename, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const MAX_ATTEMPTS = 5

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
  for (let attempt = 1; ; attempt += 1) {
    await mkdir(parent, { recursive: true, mode: 0o700 })
    try {
      await rename(from, to)
      break
    } catch (error) {
      // The last file of the folder may have just been deleted, and the folder with it.
      if (!isAbsent(error) || attempt === MAX_ATTEMPTS) throw error
    }
  }
  // Up to the root, even when the folders were there: another process may have only just made them.
  for (let folder = parent; ; folder = dirname(folder)) {
    await unlessAbsent(syncFolder(folder))
    if (folder === root || folder === dirname(folder)) return
  }
}

export async function removeEmptyFolders(root: string, from: string): Promise<void> {
  for (let folder = from; folder !== root; folder = dirname(folder)) {
    try {
      await rmdir(folder)
    } catch {
      return
    }
  }
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
