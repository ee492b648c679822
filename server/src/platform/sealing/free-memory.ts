/**
 * Gives the memory of a buffer back now; the buffer is empty afterwards. Left to the garbage
 * collector, the hundreds of megabytes a second of a film cost as much as the cipher. Nothing is
 * done for a part of a larger buffer, which others may be using.
 */
export function freeMemoryOf(bytes: Buffer): void {
  if (bytes.length === bytes.buffer.byteLength) freeMemoryAround(bytes)
}

/** The same with all of the memory that a buffer is part of: for who knows that it has no other part. */
export function freeMemoryAround({ buffer }: Buffer): void {
  // Small buffers share one memory of Node's.
  if (buffer instanceof ArrayBuffer && buffer.byteLength > Buffer.poolSize) buffer.transfer(0)
}
