import { createHash, type Hash } from 'node:crypto'
import type { AppContext } from '#server/context.ts'
import type { DataKey } from '#server/platform/sealing/keyring.ts'
import {
  createHeader,
  type FileSpan,
  openSealed,
  type SealedSource,
} from '#server/platform/sealing/sealed-file.ts'
import { CHUNK_SIZE, SealBroken } from '#server/platform/sealing/sealed-format.ts'
import { openBinary, openText, sealBinary, sealText } from '#server/platform/sealing/sealed-text.ts'
import { sourceOfSpans } from '#server/platform/sealing/stored-file.ts'
import type { PieceRow, UploadRow } from './uploads.repository.ts'
import type { UploadFacts } from './uploads.rules.ts'

// What arrives in parts is sealed once, as spans of the file it becomes: docs/decisions/0089-parts-sealed-once.md.

const FACTS_FIELD = 'uploads.sealed_facts'

/** A new key of an upload, with what is sealed under it. */
export function sealUpload(ctx: AppContext, id: string, facts: UploadFacts) {
  const { dataKey, wrapped } = ctx.keyring.createDataKey(subjectOf(id))
  return {
    wrappedKey: wrapped,
    sealHeader: createHeader(),
    sealedFacts: sealText(dataKey, FACTS_FIELD, JSON.stringify(facts)),
  }
}

/** The key of all bytes of an upload, and of the file that it becomes. */
export function openUploadKey(
  ctx: AppContext,
  { id, wrappedKey }: Pick<UploadRow, 'id' | 'wrappedKey'>,
): DataKey {
  return ctx.keyring.openDataKey(subjectOf(id), wrappedKey)
}

export function factsOf(ctx: AppContext, upload: UploadRow): UploadFacts {
  return JSON.parse(openText(openUploadKey(ctx, upload), FACTS_FIELD, upload.sealedFacts))
}

function subjectOf(id: string): string {
  return `upload:${id}`
}

/** The next span of an upload, which begins with its tail. */
export function nextSpanOf({ sealHeader, receivedBytes, declaredBytes }: UploadRow): FileSpan {
  const firstByte = receivedBytes - (receivedBytes % CHUNK_SIZE)
  return { header: sealHeader, firstByte, plainSize: declaredBytes }
}

/** The last plain bytes of an upload, which fill no chunk; none when it is complete. */
export function openTail(ctx: AppContext, upload: UploadRow): Buffer {
  const { id, sealedTail, receivedBytes, declaredBytes } = upload
  const tail = sealedTail
    ? openBinary(openUploadKey(ctx, upload), tailFieldOf(receivedBytes), sealedTail)
    : Buffer.alloc(0)
  const size = receivedBytes < declaredBytes ? receivedBytes % CHUNK_SIZE : 0
  if (tail.length !== size) throw new SealBroken(`The end of upload ${id} is not ${size} bytes`)
  return tail
}

/** `receivedBytes` is where the tail ends. */
export function sealTail(key: DataKey, receivedBytes: number, tail: Buffer): Buffer | null {
  return tail.length > 0 ? sealBinary(key, tailFieldOf(receivedBytes), tail) : null
}

/** A tail opens where it ends only: an earlier one would repeat bytes, or miss some. */
function tailFieldOf(receivedBytes: number): string {
  return `uploads.sealed_tail/${receivedBytes}`
}

/** An upload that is not a file yet, as the sealed file it will be: a range that has arrived can be opened. */
export function sourceOfPieces(
  ctx: AppContext,
  upload: UploadRow,
  pieces: readonly PieceRow[],
): SealedSource {
  return sourceOfSpans(ctx.storage, upload.sealHeader, pieces, upload.declaredBytes)
}

/** The sums of uploads under way, by what this program has received of them. */
export interface UploadSums {
  /** A copy of the sum of the bytes before `byte`, to go on from; undefined when it is not known here. */
  until(uploadId: string, byte: number): Hash | undefined
  keep(uploadId: string, byte: number, hash: Hash): void
  forget(uploadId: string): void
}

const MAX_SUMS = 1_000

export function createUploadSums(): UploadSums {
  const sums = new Map<string, { byte: number; hash: Hash }>()
  return {
    until(uploadId, byte) {
      if (byte === 0) return createHash('sha256')
      const sum = sums.get(uploadId)
      return sum?.byte === byte ? sum.hash.copy() : undefined
    },
    keep(uploadId, byte, hash) {
      sums.delete(uploadId)
      sums.set(uploadId, { byte, hash })
      if (sums.size > MAX_SUMS) sums.delete(sums.keys().next().value as string)
    },
    forget: (uploadId) => void sums.delete(uploadId),
  }
}

/** In hexadecimal, of all plain bytes: what is not known of them, since another program received some, is read. */
export async function sumOf(
  upload: UploadRow,
  { sums, key, source }: { sums: UploadSums; key: DataKey; source: SealedSource },
): Promise<string> {
  const known = sums.until(upload.id, upload.declaredBytes)
  if (known) return known.digest('hex')
  const hash = createHash('sha256')
  for await (const bytes of await openSealed(key, source)) hash.update(bytes)
  return hash.digest('hex')
}
