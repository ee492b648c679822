/** Less is left to the garbage collector. */
const SMALL_BYTES = 8 * 1024

/**
 * Gives the memory of a buffer back now; the buffer is empty afterwards. Left to the garbage
 * collector, the hundreds of megabytes a second of a film cost as much as the cipher. Nothing is
 * done for a part of a larger buffer, which others may be using.
 */
export function freeMemoryOf(bytes: Buffer): void {
  if (bytes.length === bytes.buffer.byteLength) freeMemoryAround(bytes)
}

/** The same with all of the memory that a buffer is part of: for who knows that it has no other part. */
export function freeMemoryAround({ buffer, length }: Buffer): void {
  if (!(buffer instanceof ArrayBuffer) || buffer.byteLength <= SMALL_BYTES) return
  // Small buffers share one memory of Node's, which none of them fills. It is as large as a chunk.
  const mayBeShared = length < buffer.byteLength && buffer.byteLength <= Buffer.poolSize
  if (!mayBeShared) buffer.transfer(0)
}
