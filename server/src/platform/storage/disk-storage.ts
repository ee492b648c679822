import { access, constants, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { StartError } from '#server/platform/start-error.ts'
import { pathOf, readDisk } from './disk-reading.ts'
import { createDurableFile } from './disk-writing.ts'
import { makeDraftName, sweepStaleDrafts } from './drafts.ts'
import { moveInto, unlessAbsent } from './folders.ts'
import { isDiskFull, type Storage, StorageFull } from './storage.ts'

/** Files under `folder`, which is made when missing; several processes may share it. */
export async function openDiskStorage(folder: string): Promise<Storage> {
  const root = resolve(folder)
  // No key begins with a dot: a draft is never listed, read or replaced as an object.
  const drafts = join(root, '.drafts')
  try {
    await mkdir(drafts, { recursive: true, mode: 0o700 })
    await sweepStaleDrafts(drafts)
  } catch (error) {
    throw new StartError(`Files cannot be kept in "${root}" (${codeOf(error)}).`)
  }

  async function put(key: string, bytes: Readable): Promise<{ sizeBytes: number }> {
    const path = pathOf(root, key)
    const draft = join(drafts, makeDraftName())
    const file = createDurableFile(draft)
    try {
      // Nothing may be awaited before this: an error of the source must find somebody listening.
      await pipeline(bytes, file)
      await moveInto(root, draft, path)
    } catch (error) {
      await rm(draft, { force: true })
      throw isDiskFull(error)
        ? new StorageFull('No room is left for files', { cause: error })
        : error
    }
    return { sizeBytes: file.bytesWritten }
  }

  async function remove(key: string): Promise<void> {
    // Its folder stays: removed when empty, it could vanish under an object on its way there.
    await unlessAbsent(rm(pathOf(root, key)))
  }

  async function check(): Promise<void> {
    const draft = join(drafts, makeDraftName())
    try {
      await access(root, constants.R_OK | constants.W_OK | constants.X_OK)
      await writeFile(draft, 'check', { flag: 'wx', flush: true })
      await readFile(draft)
    } catch (error) {
      if (isDiskFull(error)) throw new StorageFull('No room is left for files', { cause: error })
      throw new StartError(`Files cannot be written and read in "${root}" (${codeOf(error)}).`)
    } finally {
      await rm(draft, { force: true }).catch(() => {})
    }
  }

  return { ...readDisk(root), put, delete: remove, check }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown error'
}
