import { mkdir, open, readdir, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'

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
