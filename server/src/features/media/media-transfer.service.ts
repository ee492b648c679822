import { createHash, type Hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { UPLOAD_MAX_BYTES } from '#contract/media.ts'
import type { FileType } from '#contract/revelations.ts'
import type { AppContext } from '#server/context.ts'
import { IMAGE_MAX_BYTES } from '#server/platform/media-tools/images.ts'
import type { DataKey } from '#server/platform/sealing/keyring.ts'
import { putSealed } from '#server/platform/sealing/sealed-object.ts'
import type { Room } from './media-quota.service.ts'
import { Interrupted, imageTooHeavy, overQuota, tooLarge } from './media-refusals.service.ts'

/** Enough to tell a type, and the size of a photo behind its previews. */
const HEAD_BYTES = 512 * 1024

export interface Counted {
  sizeBytes: number
  /** Of the plain bytes, in hexadecimal. */
  sha256: string
}

export interface TransferLimit {
  kind: FileType
  /** What the plan still allows. */
  room: Room
  declaredBytes: number | undefined
}

/** The first bytes of a file, and all of them again from the beginning. */
export async function readHead(
  bytes: Readable,
): Promise<{ head: Buffer; rest: AsyncGenerator<Buffer> }> {
  const source: AsyncIterator<Buffer> = bytes[Symbol.asyncIterator]()
  const chunks: Buffer[] = []
  let missing = HEAD_BYTES
  while (missing > 0) {
    const { value, done } = await nextOf(source)
    if (done) break
    chunks.push(value)
    missing -= value.length
  }
  return { head: Buffer.concat(chunks).subarray(0, HEAD_BYTES), rest: replay(chunks, source) }
}

async function* replay(
  chunks: readonly Buffer[],
  source: AsyncIterator<Buffer>,
): AsyncGenerator<Buffer> {
  yield* chunks
  for (;;) {
    const { value, done } = await nextOf(source)
    if (done) return
    yield value
  }
}

/** A client that leaves in the middle is a cut upload, whatever the parser calls it. */
async function nextOf(source: AsyncIterator<Buffer>): Promise<IteratorResult<Buffer>> {
  try {
    return await source.next()
  } catch {
    throw new Interrupted()
  }
}

interface Transfer {
  key: DataKey
  storageKey: string
  rest: AsyncGenerator<Buffer>
  /** Whether each piece of it is alone in its memory, which may be given back. */
  givenAway: boolean
  limit: TransferLimit
}

/** Seals a file on its way to the storage; resolves once it is durable, with what its plain bytes were. */
export async function keepSealed(
  ctx: AppContext,
  { key, storageKey, rest, givenAway, limit }: Transfer,
): Promise<Counted> {
  const hash = createHash('sha256')
  const count = { bytes: 0 }
  const bytes = metered(ctx, rest, { limit, hash, count })
  await putSealed(ctx.storage, key, storageKey, bytes, { givenAway })
  return { sizeBytes: count.bytes, sha256: hash.digest('hex') }
}

async function* metered(
  ctx: AppContext,
  chunks: AsyncIterable<Buffer>,
  { limit, hash, count }: { limit: TransferLimit; hash: Hash; count: { bytes: number } },
): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    await ctx.disk.require()
    count.bytes += chunk.length
    if (count.bytes > UPLOAD_MAX_BYTES) throw tooLarge(limit.declaredBytes)
    if (limit.kind === 'image' && count.bytes > IMAGE_MAX_BYTES)
      throw imageTooHeavy(IMAGE_MAX_BYTES)
    if (count.bytes > limit.room.roomBytes) throw overQuota(limit.room)
    hash.update(chunk)
    yield chunk
  }
}
