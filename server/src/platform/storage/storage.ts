import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'

/** About 512 KiB: larger pieces serve a film faster. Eight chunks of `sealing`, so that no chunk spans two pieces. */
export const READ_SIZE = 8 * (65_536 + 28)

/** First and last byte, both included. */
export interface ByteRange {
  start: number
  end: number
}

/** Bytes under keys such as "ab/abcdef/original", on the disk or in a bucket. Callers seal everything private first. */
export interface Storage {
  /**
   * Stores a whole object or nothing; it is durable once this resolves, and replaces an object of the same key. A full
   * storage rejects with `StorageFull`. The pieces of the source may be empty afterwards.
   */
  put(key: string, bytes: Readable): Promise<{ sizeBytes: number }>
  /** Stores what objects hold, one after another, as one object, as `put` does; they stay. `ObjectMissing` as of `get`. */
  compose(key: string, parts: readonly StoredPart[]): Promise<void>
  /**
   * Rejects with `ObjectMissing`, or with `RangeError` for a range that starts after the end; a range may end after the
   * end. The stream must be read or destroyed. Each piece has its memory for itself, and belongs to the reader.
   */
  get(key: string, range?: ByteRange): Promise<Readable>
  size(key: string): Promise<number | undefined>
  /** Deletes the object, if it exists. */
  delete(key: string): Promise<void>
  /** The objects whose key begins with `prefix`, in no particular order. */
  list(prefix: string): AsyncIterable<{ key: string; modifiedAt: Date }>
  /** Rejects with `StartError` unless an object can be written and read now. */
  check(): Promise<void>
}

export interface StoredPart {
  storageKey: string
  sizeBytes: number
}

/** What objects hold, one after another: `compose` where nothing copies better. */
export function readParts(storage: Pick<Storage, 'get'>, parts: readonly StoredPart[]): Readable {
  async function* read(): AsyncGenerator<Buffer> {
    for (const { storageKey, sizeBytes } of parts) {
      // A read that knows its end takes no memory beyond it.
      yield* await storage.get(storageKey, { start: 0, end: sizeBytes - 1 })
    }
  }
  return Readable.from(read())
}

/** A storage that cannot be written. */
export type ReadableStorage = Pick<Storage, 'get' | 'size' | 'list'>

export class StorageFull extends Error {
  override name = 'StorageFull'
}

// Codes of a file system, of its quota, and of PostgreSQL.
const FULL_CODES = ['ENOSPC', 'EDQUOT', '53100']

/** Whether an error of any origin means a full disk or bucket: the operator frees space, and a retry may succeed. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof StorageFull) return true
  const { code } = error as NodeJS.ErrnoException
  return FULL_CODES.includes(code ?? '') || isDiskFull(error.cause)
}

export class ObjectMissing extends Error {
  override name = 'ObjectMissing'
}

const KEY_PATTERN = /^[\w-][\w.-]{0,199}(\/[\w-][\w.-]{0,199}){0,7}$/

/** A random key: no object overwrites another. */
export function newStorageKey(prefix: string): string {
  const name = randomBytes(16).toString('hex')
  return `${prefix}${name.slice(0, 2)}/${name}`
}

export function isStorageKey(key: string): boolean {
  return KEY_PATTERN.test(key)
}

/** Only the program creates keys: a key that could leave the folder is a bug or an attack. */
export function requireStorageKey(key: string): void {
  if (!isStorageKey(key)) throw new Error(`Not a storage key: ${JSON.stringify(key)}`)
}
