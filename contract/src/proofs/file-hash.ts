import { sha256 } from '@noble/hashes/sha2.js'
import type { Bytes } from './bytes.ts'

/** SHA-256 of a file, piece by piece: a film need not fit into memory. */
export async function hashStream(
  stream: ReadableStream<Bytes>,
  onProgress: (bytes: number) => void = () => undefined,
): Promise<Bytes> {
  const hash = sha256.create()
  const reader = stream.getReader()
  let bytes = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return hash.digest()
    hash.update(value)
    bytes += value.length
    onProgress(bytes)
  }
}
