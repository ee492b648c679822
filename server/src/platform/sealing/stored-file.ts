import { type Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { freeWholeMemory } from '#server/platform/free-memory.ts'
import type { ByteRange, Storage } from '#server/platform/storage/storage.ts'
import type { DataKey } from './keyring.ts'
import { openSealed, readHeader, sealedSizeOf, sealStream } from './sealed-file.ts'

/**
 * Seals bytes on their way to the storage; resolves once they are durable. A failure leaves nothing, and is the error of
 * its cause: that of the source, or `StorageFull` of a storage without space.
 */
export async function putSealed(
  storage: Storage,
  key: DataKey,
  storageKey: string,
  plain: AsyncIterable<Buffer> | Iterable<Buffer>,
  options?: { freePieces: boolean },
): Promise<void> {
  const sealed = sealStream(key, options)
  const [stored, piped] = await Promise.allSettled([
    storage.put(storageKey, sealed),
    pipeline(plain, sealed),
  ])
  // A failure of one end cuts the other: the storage reports that of the source too, the source not that of the storage.
  if (stored.status === 'rejected') throw stored.reason
  if (piped.status === 'rejected') throw piped.reason
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
