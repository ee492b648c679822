import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { DataKey } from '#server/platform/sealing/keyring.ts'
import { sealStream } from '#server/platform/sealing/sealed-file.ts'

/** The layout, told once more: a change of it must fail the tests. */
export const HEADER = 40
export const CHUNK = 65_536
export const SEALED_CHUNK = 12 + CHUNK + 16

/** `plain` sealed while it arrives by pieces. */
export async function sealBytes(key: DataKey, plain: Buffer, pieceSize = 50_000): Promise<Buffer> {
  return buffer(Readable.from(piecesOf(plain, pieceSize)).pipe(sealStream(key)))
}

/** Sealed bytes as a storage would give them; `reads` tells what was asked. */
export function sourceOf(sealed: Buffer, pieceSize = 8 * SEALED_CHUNK) {
  const reads: string[] = []
  return {
    size: sealed.length,
    reads,
    async read({ start, end }: { start: number; end: number }): Promise<Readable> {
      reads.push(`${start}-${end}`)
      return Readable.from(piecesOf(sealed.subarray(start, end + 1), pieceSize))
    },
  }
}

export function chunkAt(sealed: Buffer, index: number): Buffer {
  return sealed.subarray(HEADER + index * SEALED_CHUNK, HEADER + (index + 1) * SEALED_CHUNK)
}

// Copies: who opens sealed bytes overwrites them.
function* piecesOf(bytes: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield Buffer.from(bytes.subarray(at, at + size))
}
