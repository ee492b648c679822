/**
 * Gives the memory of a buffer back now; the buffer is empty afterwards. Left to the garbage
 * collector, the hundreds of megabytes a second of a film cost as much as the cipher. Nothing is
 * done for a part of a larger buffer, which others may be using.
 */
export function freeMemoryOf(bytes: Buffer): void {
  if (bytes.buffer instanceof ArrayBuffer && bytes.length === bytes.buffer.byteLength) {
    bytes.buffer.transfer(0)
  }
}
