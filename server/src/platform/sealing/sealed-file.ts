import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { pipeline, type Readable, Transform } from 'node:stream'
import { freeMemory, freeWholeMemory, isFreed } from '#server/platform/free-memory.ts'
import type { ByteRange } from '#server/platform/storage/storage.ts'
import { deriveKey } from './box.ts'
import type { DataKey } from './keyring.ts'
import {
  CHUNK_OVERHEAD,
  CHUNK_SIZE,
  HEADER_SIZE,
  NONCE_SIZE,
  SALT_SIZE,
  SEALED_CHUNK_SIZE,
  SealBroken,
  TAG_SIZE,
} from './sealed-format.ts'

/** Where sealed bytes are read: `storage.size` and `storage.get` of one key. */
export interface SealedSource {
  size: number
  /** Each piece of the stream has its memory for itself, and is overwritten: pieces are opened in place. */
  read(range: ByteRange): Promise<Readable>
  /** The first bytes of it (`readHeader`), where they are known. */
  header?: Buffer
}

const WRITE_AHEAD_SIZE = 4 * CHUNK_SIZE

/** A part of a file that is sealed in several streams, one after another. */
export interface FileSpan {
  /** That of the file: `createHeader`. The span that begins at 0 has it before its chunks. */
  header: Buffer
  /** Where the span begins in the plain file: at the beginning of a chunk. */
  firstByte: number
  /** Of the plain file. */
  plainSize: number
}

/** The bytes that all chunks of a new file are sealed with. */
export function createHeader(): Buffer {
  return Buffer.concat([MAGIC, randomBytes(SALT_SIZE)])
}

/**
 * Plain bytes in, a sealed file out, or a span of one: the spans of a file, one after another, are the sealed file. With
 * `freePieces`, the memory of what was sealed is freed: pieces that share one must follow each other, and nobody else use it.
 */
export function sealStream(
  key: DataKey,
  { freePieces = false, span }: { freePieces?: boolean; span?: FileSpan } = {},
): { stream: Transform; sizeBytes(): number; tail(): Buffer } {
  const seal = fileSealOf(key, span?.header ?? createHeader())
  const { firstByte = 0, plainSize } = span ?? {}
  if (firstByte % CHUNK_SIZE !== 0) throw new RangeError(`No chunk begins at byte ${firstByte}`)
  const pending = Buffer.allocUnsafeSlow(CHUNK_SIZE)
  let pendingSize = 0
  let takenBytes = 0
  let index = firstByte / CHUNK_SIZE

  const freeWhenLeft = createFreer()

  /** The last bytes sealed, if they end the file or fill a chunk: the others are the tail. */
  function sealRest(): Buffer | null {
    const isLast = plainSize === undefined || index * CHUNK_SIZE + pendingSize === plainSize
    if (!isLast && pendingSize < CHUNK_SIZE) return null
    const sealed = sealChunk(seal, index, isLast, pending.subarray(0, pendingSize))
    pendingSize = 0
    return sealed
  }

  const stream = new Transform({
    highWaterMark: WRITE_AHEAD_SIZE,
    construct(done) {
      if (firstByte === 0) this.push(seal.header)
      done()
    },
    transform(piece: Buffer, _encoding, done) {
      // It would be sealed as no bytes, and nothing would tell.
      if (isFreed(piece)) return done(new Error('A piece was freed before it was sealed'))
      takenBytes += piece.length
      let rest = piece
      // A chunk is sealed once more bytes follow it: before, it may be the last one.
      while (pendingSize + rest.length > CHUNK_SIZE) {
        const missing = CHUNK_SIZE - pendingSize
        let chunk = rest.subarray(0, missing)
        if (pendingSize > 0) {
          chunk.copy(pending, pendingSize)
          chunk = pending
          pendingSize = 0
        }
        this.push(sealChunk(seal, index, false, chunk))
        index += 1
        rest = rest.subarray(missing)
      }
      pendingSize += rest.copy(pending, pendingSize)
      if (freePieces) freeWhenLeft(piece)
      done()
    },
    flush(done) {
      done(null, sealRest())
    },
  })
  // Once the stream has ended: how many plain bytes were sealed, and those at the end of a span that fill no chunk.
  return {
    stream,
    sizeBytes: () => takenBytes - pendingSize,
    tail: () => pending.subarray(0, pendingSize),
  }
}

/** Frees the memory of a piece when one of another follows: parts of a chunk of a request may be pieces of their own. */
function createFreer(): (piece: Buffer) => void {
  let last: Buffer | undefined
  return (piece) => {
    if (last && last.buffer !== piece.buffer) freeWholeMemory(last)
    last = piece
  }
}

export function sealedSizeOf(plainSize: number): number {
  return HEADER_SIZE + Math.max(CHUNK_OVERHEAD, chunksSizeOf(plainSize))
}

/** The size of the chunks of so many plain bytes from the beginning of a chunk on. */
export function chunksSizeOf(plainSize: number): number {
  return plainSize + Math.ceil(plainSize / CHUNK_SIZE) * CHUNK_OVERHEAD
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
 * The plain bytes of `range`, or all. Rejects with `SealBroken`, or with `RangeError` for a range outside the file, before
 * the first byte; a chunk found altered later destroys the stream with `SealBroken` before any byte of it. Only a read of
 * the end notices a file cut between two chunks: compare `plainSizeOf` with a size stored elsewhere. No two pieces share
 * memory: `sendOpened` frees it piece by piece.
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

  const seal = parseFileSeal(key, source.header ?? (await readHeader(source)))
  const lastChunkStart = HEADER_SIZE + lastChunk * SEALED_CHUNK_SIZE
  const lastChunkEnd = Math.min(source.size, lastChunkStart + SEALED_CHUNK_SIZE)
  const sealed = await source.read({
    start: HEADER_SIZE + firstChunk * SEALED_CHUNK_SIZE,
    end: lastChunkEnd - 1,
  })
  const { promise: firstChunkOpened, resolve, reject } = Promise.withResolvers<void>()
  const opener = createChunkOpener(seal, {
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

/** The bytes that all chunks are opened with; they are no secret. */
export async function readHeader(source: Pick<SealedSource, 'read'>): Promise<Buffer> {
  const bytes = await source.read({ start: 0, end: HEADER_SIZE - 1 })
  return Buffer.concat(await bytes.toArray())
}

function chunksIn(sealedSize: number): number {
  return Math.ceil((sealedSize - HEADER_SIZE) / SEALED_CHUNK_SIZE)
}

interface WantedRange {
  /** The chunks that are read, in order, and the sealed size of the last one. */
  firstChunk: number
  lastChunk: number
  lastChunkSize: number
  /** Number of chunks in the whole file. */
  chunkCount: number
  /** First and last plain byte of the range, both included. */
  start: number
  end: number
  onFirstChunk(): void
}

/** Sealed chunks in, plain bytes of the range out. Overwrites the pieces written to it. */
function createChunkOpener(seal: FileSeal, wanted: WantedRange): Transform {
  const { firstChunk, lastChunk, lastChunkSize, chunkCount, start, end, onFirstChunk } = wanted
  let index = firstChunk
  let pending = Buffer.alloc(0)
  let pendingSize = 0

  function sizeOfNext(): number {
    if (index > lastChunk) return 0
    return index === lastChunk ? lastChunkSize : SEALED_CHUNK_SIZE
  }

  /** Opens the next chunk and writes its part of the range to `out`, which `sealed` may be part of. */
  function open(sealed: Buffer, out: Buffer, offset: number): number {
    const plain = openChunk(seal, index, index === chunkCount - 1, sealed)
    const chunkStart = index * CHUNK_SIZE
    const size = plain.copy(out, offset, Math.max(0, start - chunkStart), end - chunkStart + 1)
    freeMemory(plain)
    index += 1
    return size
  }

  /** Opens the whole chunks of `piece` in place: buffers of their own would cost as much as the cipher. */
  function openWhole(piece: Buffer): Buffer {
    let read = 0
    let written = 0
    while (index <= lastChunk && piece.length - read >= sizeOfNext()) {
      const sealed = piece.subarray(read, read + sizeOfNext())
      read += sealed.length
      written += open(sealed, piece, written)
    }
    if (store(piece.subarray(read)).length > 0) {
      throw new SealBroken('The sealed file is longer than its size')
    }
    return piece.subarray(0, written)
  }

  /** Stores the beginning of a chunk whose end is in the next pieces; returns the rest of `piece`. */
  function store(piece: Buffer): Buffer {
    const part = piece.subarray(0, sizeOfNext() - pendingSize)
    if (part.length > 0 && pendingSize === 0) pending = Buffer.allocUnsafeSlow(sizeOfNext())
    pendingSize += part.copy(pending, pendingSize)
    return piece.subarray(part.length)
  }

  function openPending(): Buffer {
    pendingSize = 0
    return pending.subarray(0, open(pending, pending, 0))
  }

  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      // A piece costs a fraction of a millisecond: other requests run in between, and the source reads on.
      setImmediate(() => {
        try {
          const rest = pendingSize > 0 ? store(piece) : piece
          if (pendingSize > 0 && pendingSize === sizeOfNext()) this.push(openPending())
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

const MAGIC = Buffer.from('RVLSEAL\x01', 'latin1')

/** The header and key of every chunk of one file. */
interface FileSeal {
  header: Buffer
  key: KeyObject
}

/** Throws `SealBroken` when these are not the first bytes of a sealed file. */
function parseFileSeal(dataKey: DataKey, header: Buffer): FileSeal {
  if (header.length !== HEADER_SIZE || !header.subarray(0, MAGIC.length).equals(MAGIC)) {
    throw new SealBroken('The file does not begin as a sealed file')
  }
  return fileSealOf(dataKey, Buffer.from(header))
}

function fileSealOf(dataKey: DataKey, header: Buffer): FileSeal {
  const key = deriveKey(dataKey.bytes, 'file', header.subarray(MAGIC.length))
  return { header, key: createSecretKey(key) }
}

function sealChunk(
  { header, key }: FileSeal,
  index: number,
  isLast: boolean,
  plain: Buffer,
): Buffer {
  const nonce = randomBytes(NONCE_SIZE)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(additionalData(header, index, isLast))
  const ciphertext = cipher.update(plain)
  cipher.final()
  const sealed = Buffer.allocUnsafeSlow(plain.length + CHUNK_OVERHEAD)
  nonce.copy(sealed)
  ciphertext.copy(sealed, NONCE_SIZE)
  cipher.getAuthTag().copy(sealed, NONCE_SIZE + ciphertext.length)
  freeMemory(ciphertext)
  return sealed
}

function openChunk(
  { header, key }: FileSeal,
  index: number,
  isLast: boolean,
  sealed: Buffer,
): Buffer {
  if (sealed.length < CHUNK_OVERHEAD) throw new SealBroken('The sealed file is cut')
  const nonce = sealed.subarray(0, NONCE_SIZE)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_SIZE })
  decipher.setAAD(additionalData(header, index, isLast))
  decipher.setAuthTag(sealed.subarray(-TAG_SIZE))
  const plain = decipher.update(sealed.subarray(NONCE_SIZE, -TAG_SIZE))
  try {
    decipher.final()
  } catch {
    throw new SealBroken(`Chunk ${index} of the sealed file was altered or moved`)
  }
  return plain
}

function additionalData(header: Buffer, index: number, isLast: boolean): Buffer {
  const data = Buffer.allocUnsafe(HEADER_SIZE + 9)
  header.copy(data)
  data.writeBigUInt64BE(BigInt(index), HEADER_SIZE)
  data[HEADER_SIZE + 8] = isLast ? 1 : 0
  return data
}
