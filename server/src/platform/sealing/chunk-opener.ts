import { Transform } from 'node:stream'
import { freeMemoryOf } from './free-memory.ts'
import { SealBroken } from './seal-broken.ts'
import { CHUNK_SIZE, type FileSeal, openChunk, SEALED_CHUNK_SIZE } from './sealed-chunk.ts'

interface Wanted {
  /** Chunks that will be written, in order. */
  firstChunk: number
  lastChunk: number
  /** Chunks of the whole file. */
  chunkCount: number
  /** Plain bytes to give, both included. */
  start: number
  end: number
  onFirstChunk(): void
}

/** Sealed chunks in, plain bytes of the range out. What is written to it is overwritten. */
export function chunkOpener(seal: FileSeal, wanted: Wanted): Transform {
  const { firstChunk, lastChunk, chunkCount, start, end, onFirstChunk } = wanted
  const held = Buffer.allocUnsafe(SEALED_CHUNK_SIZE)
  let heldSize = 0
  let index = firstChunk

  /** Opens the next chunk and writes what is wanted of it to `out`, which may overlap `sealed`. */
  function open(sealed: Buffer, out: Buffer, offset: number): number {
    const plain = openChunk(seal, index, index === chunkCount - 1, sealed)
    const chunkStart = index * CHUNK_SIZE
    const size = plain.copy(out, offset, Math.max(0, start - chunkStart), end - chunkStart + 1)
    freeMemoryOf(plain)
    index += 1
    onFirstChunk()
    return size
  }

  /** Opens the chunks that are whole in `piece`, in place: a buffer of its own would cost as much as the cipher. */
  function openWhole(piece: Buffer): Buffer {
    let read = 0
    let written = 0
    while (index < lastChunk && piece.length - read >= SEALED_CHUNK_SIZE) {
      written += open(piece.subarray(read, read + SEALED_CHUNK_SIZE), piece, written)
      read += SEALED_CHUNK_SIZE
    }
    hold(piece.subarray(read))
    return piece.subarray(0, written)
  }

  function openHeld(): Buffer {
    const out = Buffer.allocUnsafeSlow(CHUNK_SIZE)
    const size = open(held.subarray(0, heldSize), out, 0)
    heldSize = 0
    return out.subarray(0, size)
  }

  function hold(bytes: Buffer): void {
    if (heldSize + bytes.length > SEALED_CHUNK_SIZE) {
      throw new SealBroken('The sealed file is longer than its size')
    }
    heldSize += bytes.copy(held, heldSize)
  }

  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      // A piece takes a fraction of a millisecond: others get their turn in between, and the source
      // reads its next piece meanwhile.
      setImmediate(() => {
        try {
          let rest = piece
          if (heldSize > 0) {
            const missing = SEALED_CHUNK_SIZE - heldSize
            hold(rest.subarray(0, missing))
            rest = rest.subarray(missing)
            if (heldSize === SEALED_CHUNK_SIZE && index < lastChunk) this.push(openHeld())
          }
          if (rest.length > 0) this.push(openWhole(rest))
          done()
        } catch (error) {
          done(error as Error)
        }
      })
    },
    flush(done) {
      try {
        done(null, openHeld())
      } catch (error) {
        done(error as Error)
      }
    },
  })
}
