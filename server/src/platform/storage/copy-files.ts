import { createHash } from 'node:crypto'
import { Readable, Transform, Writable } from 'node:stream'
import { ObjectMissing, type ReadableStorage, type Storage, StorageFull } from './storage.ts'

/** Most objects are small: while one waits for the disk, others are copied. */
const AT_ONCE = 4

/** Runs the work for each file, a few at once; rejects with the first failure once the running works have ended. */
export async function forEachFile<T>(
  files: Iterable<T>,
  signal: AbortSignal,
  work: (file: T) => Promise<void>,
): Promise<void> {
  const waiting = files[Symbol.iterator]()
  let hasFailed = false
  async function workOn(): Promise<void> {
    for (let next = waiting.next(); !next.done && !hasFailed; next = waiting.next()) {
      signal.throwIfAborted()
      await work(next.value)
    }
  }
  const workers = Array.from({ length: AT_ONCE }, () =>
    workOn().catch((error) => {
      hasFailed = true
      throw error
    }),
  )
  const failed = (await Promise.allSettled(workers)).find(({ status }) => status === 'rejected')
  if (failed) throw (failed as PromiseRejectedResult).reason
}

/** The sum of an object, read to its end; undefined for a missing object. */
export async function sumOf(
  storage: ReadableStorage,
  key: string,
  signal: AbortSignal,
): Promise<Sum | undefined> {
  const bytes = await findBytes(storage, key)
  if (!bytes) return undefined
  const { add, sum } = createSum()
  for await (const piece of bytes) {
    signal.throwIfAborted()
    add(piece)
  }
  return sum()
}

/**
 * Copies an object and returns its sum; undefined for a missing object. An object that differs from `expected` rejects
 * with `FileAltered` and leaves nothing in the target.
 */
export async function copyFile(
  source: ReadableStorage,
  target: Storage,
  key: string,
  { signal, expected }: { signal: AbortSignal; expected?: Sum },
): Promise<Sum | undefined> {
  const bytes = await findBytes(source, key)
  if (!bytes) return undefined
  const { add, sum } = createSum()
  let copied: Sum | undefined
  async function* passing(pieces: Readable): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      signal.throwIfAborted()
      add(piece)
      yield piece
    }
    copied = sum()
    if (expected && !isSameSum(copied, expected)) throw new FileAltered(key)
  }
  await target.put(key, Readable.from(passing(bytes), { objectMode: false }))
  return copied
}

async function findBytes(storage: ReadableStorage, key: string): Promise<Readable | undefined> {
  try {
    return await storage.get(key)
  } catch (error) {
    if (error instanceof ObjectMissing) return undefined
    throw error
  }
}

/** The object differs from what was written. */
export class FileAltered extends Error {
  override name = 'FileAltered'

  constructor(key: string) {
    super(`${key} is not what was written`)
  }
}

interface Ends {
  source: Storage
  target: Storage
  signal: AbortSignal
}

export interface Move {
  copied: { count: number; bytes: number }
  /** Copied by an earlier run, and read again at both ends. */
  existing: { count: number; bytes: number }
  /** Deleted at the source since it was listed. */
  goneCount: number
  failed: { key: string; reason: string }[]
  /** The keys of objects that are the same at both ends. */
  verified: string[]
}

/** Copies every object and reads it back; the source stays as it is. */
export async function copyObjects(
  ends: Ends,
  onProgress: (done: number, total: number, bytes: number) => void,
): Promise<Move> {
  const move: Move = {
    copied: { count: 0, bytes: 0 },
    existing: { count: 0, bytes: 0 },
    goneCount: 0,
    failed: [],
    verified: [],
  }
  const keys: string[] = []
  for await (const { key } of ends.source.list('')) keys.push(key)
  let done = 0
  await forEachFile(keys, ends.signal, async (key) => {
    try {
      await copyObject(ends, key, move)
    } catch (error) {
      // The other objects would fail in the same way.
      if (ends.signal.aborted || error instanceof StorageFull) throw error
      move.failed.push({ key, reason: (error as Error).message })
    }
    done += 1
    onProgress(done, keys.length, move.copied.bytes + move.existing.bytes)
  })
  return move
}

async function copyObject({ source, target, signal }: Ends, key: string, move: Move) {
  const isThere = await isSameAtBothEnds({ source, target, signal }, key)
  const sum = isThere || (await copyFile(source, target, key, { signal }))
  if (!sum) {
    move.goneCount += 1
    return
  }
  if (!isThere) {
    const readBack = await sumOf(target, key, signal)
    if (!readBack || !isSameSum(sum, readBack)) throw new Error('other bytes were read back')
  }
  const counted = isThere ? move.existing : move.copied
  counted.count += 1
  counted.bytes += sum.sizeBytes
  move.verified.push(key)
}

/** Reads both objects only if they have the same size. */
async function isSameAtBothEnds({ source, target, signal }: Ends, key: string) {
  const sizes = await Promise.all([source.size(key), target.size(key)])
  if (sizes[0] === undefined || sizes[0] !== sizes[1]) return undefined
  const [ours, theirs] = [await sumOf(source, key, signal), await sumOf(target, key, signal)]
  return ours && theirs && isSameSum(ours, theirs) ? ours : undefined
}

/** Size and hash of a file when it was written: a later difference means damage. */
export interface Sum {
  sizeBytes: number
  sha256: string
}

/** Computes the sum of bytes that are added or pass `through`; `sum` may be called once, at the end. */
export function createSum(): { add(piece: Buffer): void; through: Transform; sum(): Sum } {
  const hash = createHash('sha256')
  let sizeBytes = 0
  function add(piece: Buffer): void {
    hash.update(piece)
    sizeBytes += piece.length
  }
  const through = new Transform({
    transform(piece: Buffer, _encoding, done) {
      add(piece)
      done(null, piece)
    },
  })
  return { add, through, sum: () => ({ sizeBytes, sha256: hash.digest('hex') }) }
}

/** A sink that drops all bytes, for a pipeline that only counts or hashes. */
export function discard(): Writable {
  return new Writable({ write: (_piece, _encoding, done) => done() })
}

export function isSameSum(one: Sum, other: Sum): boolean {
  return one.sizeBytes === other.sizeBytes && one.sha256 === other.sha256
}
