/** Smaller buffers are left to the garbage collector. */
const SMALL_BYTES = 8 * 1024

/**
 * Frees the memory of a buffer now; the buffer is empty afterwards. Left to the garbage collector, the hundreds of
 * megabytes a second of a film cost as much as the cipher. Does nothing for a part of a larger buffer.
 */
export function freeMemory(bytes: Buffer): void {
  if (bytes.length === bytes.buffer.byteLength) freeWholeMemory(bytes)
}

/** Frees all the memory that a buffer is part of: the caller knows that no other part is in use. */
export function freeWholeMemory({ buffer, length }: Buffer): void {
  if (!(buffer instanceof ArrayBuffer) || buffer.byteLength <= SMALL_BYTES) return
  // Node's pool for small buffers is as large as a chunk, and no buffer fills it.
  const mayBeShared = length < buffer.byteLength && buffer.byteLength <= Buffer.poolSize
  if (!mayBeShared) buffer.transfer(0)
}

export function isFreed({ buffer }: Buffer): boolean {
  return buffer instanceof ArrayBuffer && buffer.detached
}
