import { Readable } from 'node:stream'
import { isSame, type Sum, summing } from './hashing.ts'
import { ObjectMissing, type ReadableStorage, type Storage } from './storage.ts'

/** Most objects are small: while one waits for the disk to keep it, others are on their way. */
const AT_ONCE = 4

/** Does the work for each, a few at once; the first failure ends it, once those under way have ended. */
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

/** What an object is, read to its end; undefined when it is not there. */
export async function sumOf(
  storage: ReadableStorage,
  key: string,
  signal: AbortSignal,
): Promise<Sum | undefined> {
  const bytes = await findBytes(storage, key)
  if (!bytes) return undefined
  const { add, sum } = summing()
  for await (const piece of bytes) {
    signal.throwIfAborted()
    add(piece)
  }
  return sum()
}

/**
 * Copies an object and answers what it was; undefined when it is not there. `expected` is what it must be: of one that is
 * not, a `FileAltered`, nothing is left at the other end.
 */
export async function copyFile(
  source: ReadableStorage,
  target: Storage,
  key: string,
  { signal, expected }: { signal: AbortSignal; expected?: Sum },
): Promise<Sum | undefined> {
  const bytes = await findBytes(source, key)
  if (!bytes) return undefined
  const { add, sum } = summing()
  let copied: Sum | undefined
  async function* passing(pieces: Readable): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      signal.throwIfAborted()
      add(piece)
      yield piece
    }
    copied = sum()
    if (expected && !isSame(copied, expected)) throw new FileAltered(key)
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

/** The object is not what it was when it was written. */
export class FileAltered extends Error {
  override name = 'FileAltered'

  constructor(key: string) {
    super(`${key} is not what was written`)
  }
}
