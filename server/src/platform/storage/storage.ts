import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import { SEALED_CHUNK_SIZE } from '#server/platform/sealing/sealed-format.ts'

/**
 * About 512 KiB: the size of the pieces decides how fast a film is served. Whole sealed chunks, so that none straddles
 * two pieces.
 */
export const READ_SIZE = 8 * SEALED_CHUNK_SIZE

/** First and last byte, both included. */
export interface ByteRange {
  start: number
  end: number
}

/**
 * Bytes under keys such as "ab/abcdef/original": on the disk or in a bucket. It knows nothing of
 * what it keeps; everything private is sealed before it comes here.
 */
export interface Storage {
  /**
   * The object is absent or whole, whatever happens meanwhile, and durable once this resolves. An
   * object of the same key is replaced. A source that fails leaves nothing; no room is `StorageFull`.
   * The pieces of the source are given away: they may be empty afterwards.
   */
  put(key: string, bytes: Readable): Promise<{ sizeBytes: number }>
  /**
   * Rejects with `ObjectMissing`, or with `RangeError` when the range begins after the end; one that
   * ends after the end gives what there is. The stream must be read or destroyed; its pieces are the
   * reader's, each alone in its memory.
   */
  get(key: string, range?: ByteRange): Promise<Readable>
  size(key: string): Promise<number | undefined>
  /** An absent object is fine. */
  delete(key: string): Promise<void>
  /** The objects whose key begins with `prefix`, in no particular order. */
  list(prefix: string): AsyncIterable<{ key: string; modifiedAt: Date }>
  /** Rejects with `StartError` unless an object can be written and read now. */
  check(): Promise<void>
}

/** One that is only read. */
export type ReadableStorage = Pick<Storage, 'get' | 'size' | 'list'>

export class StorageFull extends Error {
  override name = 'StorageFull'
}

// Of a file system, of a quota on it, of PostgreSQL.
const FULL_CODES = ['ENOSPC', 'EDQUOT', '53100']

/** Whether something failed for want of room, whoever says it: the operator mends it, and the same may be tried again. */
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

/** Random, and new for each object: an object is never written over. */
export function newStorageKey(prefix: string): string {
  const name = randomBytes(16).toString('hex')
  return `${prefix}${name.slice(0, 2)}/${name}`
}

export function isStorageKey(key: string): boolean {
  return KEY_PATTERN.test(key)
}

/** Keys are made by the program: one that could leave the folder is a bug, or an attack. */
export function requireStorageKey(key: string): void {
  if (!isStorageKey(key)) throw new Error(`Not a storage key: ${JSON.stringify(key)}`)
}
