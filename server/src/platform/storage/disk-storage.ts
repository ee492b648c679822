import { createWriteStream } from 'node:fs'
import { access, constants, mkdir, open, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { StartError } from '#server/platform/start-error.ts'
import { makeDraftName, sweepStaleDrafts } from './drafts.ts'
import { moveInto, unlessAbsent, walkFiles } from './folders.ts'
import {
  type ByteRange,
  ObjectMissing,
  READ_SIZE,
  requireStorageKey,
  type Storage,
  StorageFull,
} from './storage.ts'

const WRITE_AHEAD_SIZE = 1024 * 1024

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

  function pathOf(key: string): string {
    requireStorageKey(key)
    return join(root, key)
  }

  async function put(key: string, bytes: Readable): Promise<{ sizeBytes: number }> {
    const path = pathOf(key)
    const draft = join(drafts, makeDraftName())
    const file = createWriteStream(draft, {
      flags: 'wx',
      mode: 0o600,
      highWaterMark: WRITE_AHEAD_SIZE,
      flush: true,
    })
    try {
      // Nothing may be awaited before this: an error of the source must find somebody listening.
      await pipeline(bytes, file)
      await moveInto(root, draft, path)
    } catch (error) {
      await rm(draft, { force: true })
      throw isFull(error) ? new StorageFull('No room is left for files', { cause: error }) : error
    }
    return { sizeBytes: file.bytesWritten }
  }

  async function get(key: string, range?: ByteRange): Promise<Readable> {
    const file = await unlessAbsent(open(pathOf(key)))
    if (!file) throw new ObjectMissing(`There is no object ${key}`)
    try {
      const facts = await file.stat()
      if (!facts.isFile()) throw new ObjectMissing(`There is no object ${key}`)
      if (range && !(range.start >= 0 && range.start <= range.end && range.start < facts.size)) {
        throw new RangeError(`Bytes ${range.start} to ${range.end} are not inside ${facts.size}`)
      }
    } catch (error) {
      await file.close()
      throw error
    }
    return file.createReadStream({ ...range, highWaterMark: READ_SIZE })
  }

  async function size(key: string): Promise<number | undefined> {
    const facts = await unlessAbsent(stat(pathOf(key)))
    return facts?.isFile() ? facts.size : undefined
  }

  async function remove(key: string): Promise<void> {
    // Its folder stays: removed when empty, it could vanish under an object on its way there.
    await unlessAbsent(rm(pathOf(key)))
  }

  async function* list(prefix: string): AsyncIterable<{ key: string; modifiedAt: Date }> {
    if (prefix !== '') requireStorageKey(prefix.replace(/\/$/, ''))
    for await (const key of walkFiles(root, prefix)) {
      const facts = await unlessAbsent(stat(join(root, key)))
      if (facts) yield { key, modifiedAt: facts.mtime }
    }
  }

  async function check(): Promise<void> {
    const draft = join(drafts, makeDraftName())
    try {
      await access(root, constants.R_OK | constants.W_OK | constants.X_OK)
      await writeFile(draft, 'check', { flag: 'wx', flush: true })
      await readFile(draft)
    } catch (error) {
      throw new StartError(`Files cannot be written and read in "${root}" (${codeOf(error)}).`)
    } finally {
      await rm(draft, { force: true }).catch(() => {})
    }
  }

  return { put, get, size, delete: remove, list, check }
}

function isFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(codeOf(error))
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown error'
}
