import { Transform } from 'node:stream'
import { freeMemoryOf } from './free-memory.ts'
import { SealBroken } from './seal-broken.ts'
import { type FileSeal, openChunk } from './sealed-chunk.ts'
import { CHUNK_SIZE, SEALED_CHUNK_SIZE } from './sealed-layout.ts'

interface Wanted {
  /** The chunks that will be written, in order, and the sealed size of the last of them. */
  firstChunk: number
  lastChunk: number
  lastChunkSize: number
  /** Chunks of the whole file. */
  chunkCount: number
  /** Plain bytes to give, both included. */
  start: number
  end: number
  onFirstChunk(): void
}

/** Sealed chunks in, plain bytes of the range out. What is written to it is overwritten. */
export function chunkOpener(seal: FileSeal, wanted: Wanted): Transform {
  const { firstChunk, lastChunk, lastChunkSize, chunkCount, start, end, onFirstChunk } = wanted
  let index = firstChunk
  let held = Buffer.alloc(0)
  let heldSize = 0

  function sizeOfNext(): number {
    if (index > lastChunk) return 0
    return index === lastChunk ? lastChunkSize : SEALED_CHUNK_SIZE
  }

  /** Opens the next chunk and writes what is wanted of it to `out`, which `sealed` may be part of. */
  function open(sealed: Buffer, out: Buffer, offset: number): number {
    const plain = openChunk(seal, index, index === chunkCount - 1, sealed)
    const chunkStart = index * CHUNK_SIZE
    const size = plain.copy(out, offset, Math.max(0, start - chunkStart), end - chunkStart + 1)
    freeMemoryOf(plain)
    index += 1
    return size
  }

  /** Opens in place the chunks that are whole in `piece`: buffers of their own would cost as much as the cipher. */
  function openWhole(piece: Buffer): Buffer {
    let read = 0
    let written = 0
    while (index <= lastChunk && piece.length - read >= sizeOfNext()) {
      const sealed = piece.subarray(read, read + sizeOfNext())
      read += sealed.length
      written += open(sealed, piece, written)
    }
    if (hold(piece.subarray(read)).length > 0) {
      throw new SealBroken('The sealed file is longer than its size')
    }
    return piece.subarray(0, written)
  }

  /** Keeps the beginning of a chunk whose end is in the next pieces; gives what of `piece` is left. */
  function hold(piece: Buffer): Buffer {
    const part = piece.subarray(0, sizeOfNext() - heldSize)
    if (part.length > 0 && heldSize === 0) held = Buffer.allocUnsafeSlow(sizeOfNext())
    heldSize += part.copy(held, heldSize)
    return piece.subarray(part.length)
  }

  function openHeld(): Buffer {
    heldSize = 0
    return held.subarray(0, open(held, held, 0))
  }

  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      // A piece takes a fraction of a millisecond: others get their turn in between, and the source
      // reads its next piece meanwhile.
      setImmediate(() => {
        try {
          const rest = heldSize > 0 ? hold(piece) : piece
          if (heldSize > 0 && heldSize === sizeOfNext()) this.push(openHeld())
          if (rest.length > 0) this.push(openWhole(rest))
          if (index > firstChunk) onFirstChunk()
          done()
        } catch (error) {
          done(error as Error)
        }
      })
    },
    flush(done) {
      done(index > lastChunk ? null : new SealBroken('The sealed file is cut'))
    },
  })
}
