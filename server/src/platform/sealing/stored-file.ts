import { Readable, type Transform, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { freeWholeMemory } from '#server/platform/free-memory.ts'
import type { ByteRange, Storage } from '#server/platform/storage/storage.ts'
import type { DataKey } from './keyring.ts'
import {
  chunksSizeOf,
  type FileSpan,
  openSealed,
  readHeader,
  type SealedSource,
  sealedSizeOf,
  sealStream,
} from './sealed-file.ts'
import { HEADER_SIZE } from './sealed-format.ts'

type PlainBytes = AsyncIterable<Buffer> | Iterable<Buffer>

/**
 * Seals bytes on their way to the storage; resolves once they are durable. A failure leaves nothing, and is the error of
 * its cause: that of the source, or `StorageFull` of a storage without space.
 */
export async function putSealed(
  storage: Pick<Storage, 'put'>,
  key: DataKey,
  storageKey: string,
  plain: PlainBytes,
  options?: { freePieces: boolean },
): Promise<void> {
  await putThrough(storage, storageKey, sealStream(key, options).stream, plain)
}

/**
 * Seals a span of a file likewise. Answers how many plain bytes of it were sealed, and those at its end that fill no
 * chunk: the next span begins with them. Where none was sealed there is no object. The memory of the pieces is freed.
 */
export async function putSpan(
  storage: Pick<Storage, 'put' | 'delete'>,
  key: DataKey,
  storageKey: string,
  { span, plain }: { span: FileSpan; plain: PlainBytes },
): Promise<{ sizeBytes: number; tail: Buffer }> {
  const { stream, sizeBytes, tail } = sealStream(key, { freePieces: true, span })
  await putThrough(storage, storageKey, stream, plain)
  if (sizeBytes() === 0) await storage.delete(storageKey)
  return { sizeBytes: sizeBytes(), tail: tail() }
}

async function putThrough(
  storage: Pick<Storage, 'put'>,
  storageKey: string,
  sealing: Transform,
  plain: PlainBytes,
): Promise<void> {
  const [stored, piped] = await Promise.allSettled([
    storage.put(storageKey, sealing),
    pipeline(plain, sealing),
  ])
  // A failure of one end cuts the other: the storage reports that of the source too, the source not that of the storage.
  if (stored.status === 'rejected') throw stored.reason
  if (piped.status === 'rejected') throw piped.reason
}

/** A span as it is stored: where it begins in the plain file, and its plain size. */
export interface StoredSpan {
  firstByte: number
  sizeBytes: number
  storageKey: string
}

/** The size of the object of a span. */
export function storedSizeOf({ firstByte, sizeBytes }: Omit<StoredSpan, 'storageKey'>): number {
  return (firstByte === 0 ? HEADER_SIZE : 0) + chunksSizeOf(sizeBytes)
}

/** A sealed file of `plainSize` bytes whose spans are objects still; they are given in order, from the first byte on. */
export function sourceOfSpans(
  storage: Pick<Storage, 'get'>,
  header: Buffer,
  spans: readonly StoredSpan[],
  plainSize: number,
): SealedSource {
  async function* readSpans(range: ByteRange): AsyncGenerator<Buffer> {
    let at = 0
    for (const span of spans) {
      const last = at + storedSizeOf(span) - 1
      if (last >= range.start && at <= range.end) {
        const [start, end] = [Math.max(range.start, at) - at, Math.min(range.end, last) - at]
        yield* await storage.get(span.storageKey, { start, end })
      }
      at = last + 1
    }
  }
  const read = async (range: ByteRange) => Readable.from(readSpans(range))
  return { size: sealedSizeOf(plainSize), header, read }
}

const MAX_HEADERS = 5_000
/** Of files that are read in ranges, by storage key, which is never used again: each jump through a film would read it anew. */
const headers = new Map<string, Buffer>()

/** The `sizeBytes` plain bytes of a stored file, or a range of them: see `openSealed`. */
export async function openStored(
  storage: Pick<Storage, 'get'>,
  key: DataKey,
  { storageKey, sizeBytes }: { storageKey: string; sizeBytes: number },
  range?: ByteRange,
): Promise<Readable> {
  const read = (part: ByteRange) => storage.get(storageKey, part)
  const source = { size: sealedSizeOf(sizeBytes), read }
  // Whoever reads the whole file, as checks do, learns of each byte what it is.
  if (!range) return openSealed(key, source)
  const header = headers.get(storageKey) ?? (await readHeader(source))
  const opened = await openSealed(key, { ...source, header }, range)
  if (headers.size >= MAX_HEADERS) headers.clear()
  headers.set(storageKey, header)
  return opened
}

/**
 * Writes the stream of `openSealed` to a response, ends it, and frees the memory of each piece as soon as it is sent.
 * Rejects and cuts the response when the bytes fail; a client that leaves is no failure.
 */
export async function sendOpened(opened: Readable, response: Writable): Promise<void> {
  let hasLeft = false
  const sender = new Writable({
    write(piece: Buffer, _encoding, done) {
      response.write(piece, (error) => {
        freeWholeMemory(piece)
        if (error) hasLeft = true
        done(error)
      })
    },
    final(done) {
      response.end(done)
    },
  })
  function leave(): void {
    hasLeft = true
    sender.destroy()
  }
  response.once('close', leave)
  try {
    await pipeline(opened, sender)
  } catch (error) {
    response.destroy()
    if (!hasLeft) throw error
  } finally {
    response.off('close', leave)
  }
}
