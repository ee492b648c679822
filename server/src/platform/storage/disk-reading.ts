import { open, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { unlessAbsent, walkFiles } from './folders.ts'
import {
  type ByteRange,
  ObjectMissing,
  READ_SIZE,
  type ReadableStorage,
  requireStorageKey,
} from './storage.ts'

export function pathOf(root: string, key: string): string {
  requireStorageKey(key)
  return join(root, key)
}

/** Files under a folder in which nothing is written, as on a medium that cannot be. */
export function readDisk(folder: string): ReadableStorage {
  const root = resolve(folder)

  async function get(key: string, range?: ByteRange): Promise<Readable> {
    const file = await unlessAbsent(open(pathOf(root, key)))
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
    const facts = await unlessAbsent(stat(pathOf(root, key)))
    return facts?.isFile() ? facts.size : undefined
  }

  async function* list(prefix: string): AsyncIterable<{ key: string; modifiedAt: Date }> {
    if (prefix !== '') requireStorageKey(prefix.replace(/\/$/, ''))
    for await (const key of walkFiles(root, prefix)) {
      const facts = await unlessAbsent(stat(join(root, key)))
      if (facts) yield { key, modifiedAt: facts.mtime }
    }
  }

  return { get, size, list }
}
