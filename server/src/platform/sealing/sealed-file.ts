import { pipeline, type Readable, Transform } from 'node:stream'
import type { ByteRange } from '#server/platform/storage/storage.ts'
import { chunkOpener } from './chunk-opener.ts'
import { freeMemoryAround } from './free-memory.ts'
import type { DataKey } from './keyring.ts'
import { SealBroken } from './seal-broken.ts'
import { newFileSeal, readFileSeal, sealChunk } from './sealed-chunk.ts'
import { CHUNK_OVERHEAD, CHUNK_SIZE, HEADER_SIZE, SEALED_CHUNK_SIZE } from './sealed-layout.ts'

/** Where sealed bytes are read: `storage.size` and `storage.get` of one key. */
export interface SealedSource {
  size: number
  /** The pieces of the stream are given away, each alone in its memory: they are opened in place. */
  read(range: ByteRange): Promise<Readable>
}

const WRITE_AHEAD_SIZE = 4 * CHUNK_SIZE

/** Plain bytes in, a sealed file out. Pieces that are `givenAway`, each alone in its memory, are gone once they are sealed. */
export function sealStream(key: DataKey, { givenAway = false } = {}): Transform {
  const seal = newFileSeal(key)
  const held = Buffer.allocUnsafe(CHUNK_SIZE)
  let heldSize = 0
  let index = 0

  return new Transform({
    highWaterMark: WRITE_AHEAD_SIZE,
    construct(done) {
      this.push(seal.header)
      done()
    },
    transform(piece: Buffer, _encoding, done) {
      let rest = piece
      // A chunk is sealed once more bytes follow it: before, it may be the last one.
      while (heldSize + rest.length > CHUNK_SIZE) {
        const missing = CHUNK_SIZE - heldSize
        let chunk = rest.subarray(0, missing)
        if (heldSize > 0) {
          chunk.copy(held, heldSize)
          chunk = held
          heldSize = 0
        }
        this.push(sealChunk(seal, index, false, chunk))
        index += 1
        rest = rest.subarray(missing)
      }
      heldSize += rest.copy(held, heldSize)
      if (givenAway) freeMemoryAround(piece)
      done()
    },
    flush(done) {
      done(null, sealChunk(seal, index, true, held.subarray(0, heldSize)))
    },
  })
}

export function sealedSizeOf(plainSize: number): number {
  const chunks = Math.max(1, Math.ceil(plainSize / CHUNK_SIZE))
  return HEADER_SIZE + plainSize + chunks * CHUNK_OVERHEAD
}

/** Throws `SealBroken` for a size that no sealed file has. */
export function plainSizeOf(sealedSize: number): number {
  const plainSize = sealedSize - HEADER_SIZE - chunksIn(sealedSize) * CHUNK_OVERHEAD
  if (plainSize < 0 || sealedSizeOf(plainSize) !== sealedSize) {
    throw new SealBroken(`No sealed file has ${sealedSize} bytes`)
  }
  return plainSize
}

/**
 * The plain bytes of `range` (all of them without one). Rejects with `SealBroken`, or with
 * `RangeError` when the range is not inside the file, before the first byte is given; a chunk found
 * altered later destroys the stream with `SealBroken`, and none of its bytes are given. A file cut
 * between two chunks is only noticed by who reads its end: compare `plainSizeOf` with the size
 * kept elsewhere. No two pieces share their memory: `sendOpened` gives it back piece by piece.
 */
export async function openSealed(
  key: DataKey,
  source: SealedSource,
  range?: ByteRange,
): Promise<Readable> {
  const plainSize = plainSizeOf(source.size)
  const { start, end } = range ?? { start: 0, end: plainSize - 1 }
  if (range && !(start >= 0 && start <= end && end < plainSize)) {
    throw new RangeError(`Bytes ${start} to ${end} are not inside a file of ${plainSize}`)
  }
  const firstChunk = Math.floor(start / CHUNK_SIZE)
  const lastChunk = Math.max(0, Math.floor(end / CHUNK_SIZE))

  const header = await source.read({ start: 0, end: HEADER_SIZE - 1 })
  const seal = readFileSeal(key, Buffer.concat(await header.toArray()))
  const lastChunkStart = HEADER_SIZE + lastChunk * SEALED_CHUNK_SIZE
  const lastChunkEnd = Math.min(source.size, lastChunkStart + SEALED_CHUNK_SIZE)
  const sealed = await source.read({
    start: HEADER_SIZE + firstChunk * SEALED_CHUNK_SIZE,
    end: lastChunkEnd - 1,
  })
  const { promise: firstChunkOpened, resolve, reject } = Promise.withResolvers<void>()
  const opener = chunkOpener(seal, {
    firstChunk,
    lastChunk,
    lastChunkSize: lastChunkEnd - lastChunkStart,
    chunkCount: chunksIn(source.size),
    start,
    end,
    onFirstChunk: resolve,
  })
  pipeline(sealed, opener, (error) => (error ? reject(error) : resolve()))
  await firstChunkOpened
  return opener
}

function chunksIn(sealedSize: number): number {
  return Math.ceil((sealedSize - HEADER_SIZE) / SEALED_CHUNK_SIZE)
}
