import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type DataKey, loadKeyring } from '#server/platform/sealing/keyring.ts'
import { sealStream } from '#server/platform/sealing/sealed-file.ts'

/** The layout, repeated: a change of it must fail the tests. */
export const HEADER = 40
export const CHUNK = 65_536
export const SEALED_CHUNK = 12 + CHUNK + 16

/** Seals `plain` while it arrives in pieces. */
export async function sealBytes(key: DataKey, plain: Buffer, pieceSize = 50_000): Promise<Buffer> {
  return buffer(Readable.from(piecesOf(plain, pieceSize)).pipe(sealStream(key).stream))
}

/** Sealed bytes as a storage reads them; `reads` lists the ranges. */
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

// Copies: opening sealed bytes overwrites them.
function* piecesOf(bytes: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield Buffer.from(bytes.subarray(at, at + size))
}

/** A new data key, under a master key that is deleted at once. */
export async function newDataKey(): Promise<DataKey> {
  const dataDir = await mkdtemp(join(tmpdir(), 'data-key-'))
  const keyring = await loadKeyring({
    dataDir,
    masterKeyFile: undefined,
    expectedFingerprint: undefined,
    log: { warn: () => {} },
  })
  await rm(dataDir, { recursive: true })
  return keyring.createDataKey('test').dataKey
}
