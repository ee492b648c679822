import { createHash, type Hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { UPLOAD_MAX_BYTES } from '#contract/media.ts'
import type { FileType } from '#contract/revelations.ts'
import type { AppContext } from '#server/context.ts'
import { AppError } from '#server/errors.ts'
import { IMAGE_MAX_BYTES } from '#server/platform/media-tools/images.ts'
import type { DataKey } from '#server/platform/sealing/keyring.ts'
import { putSealed } from '#server/platform/sealing/stored-file.ts'
import type { Room } from './quota.service.ts'
import { FORM_OVERHEAD_BYTES } from './uploads.rules.ts'

const MB = 1024 * 1024
/** Enough to detect a type, and the size of a photo behind its previews. */
export const HEAD_BYTES = 512 * 1024

/** The sum of plain bytes. */
export interface PlainSum {
  sizeBytes: number
  /** In hexadecimal. */
  sha256: string
}

export interface TransferLimit {
  kind: FileType
  room: Room
  declaredBytes: number | undefined
}

/** The first bytes of a file, and all of them again from the beginning. */
export async function peekHead(
  bytes: Readable,
): Promise<{ head: Buffer; all: AsyncGenerator<Buffer> }> {
  const source: AsyncIterator<Buffer> = bytes[Symbol.asyncIterator]()
  const chunks: Buffer[] = []
  let missing = HEAD_BYTES
  while (missing > 0) {
    const { value, done } = await nextOf(source)
    if (done) break
    chunks.push(value)
    missing -= value.length
  }
  return { head: Buffer.concat(chunks).subarray(0, HEAD_BYTES), all: replay(chunks, source) }
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

/** Any error of the source is a cut transfer: the parser has several names for a client that leaves. */
async function nextOf(source: AsyncIterator<Buffer>): Promise<IteratorResult<Buffer>> {
  try {
    return await source.next()
  } catch {
    throw new InterruptedError()
  }
}

/** Where the bytes of a file are stored, and the key that they are sealed with. */
export interface Destination {
  key: DataKey
  storageKey: string
  limit: TransferLimit
}

/** Seals a file on its way to the storage; resolves with the sum of its plain bytes once it is durable. */
export async function storeEncrypted(
  ctx: AppContext,
  bytes: AsyncGenerator<Buffer>,
  { key, storageKey, limit }: Destination,
): Promise<PlainSum> {
  const hash = createHash('sha256')
  const count = { bytes: 0 }
  const limited = limitBytes(ctx, bytes, { limit, hash, count })
  // Left to the garbage collector, it would look through the whole heap again and again: half of what a film costs.
  await putSealed(ctx.storage, key, storageKey, limited, { freePieces: true })
  return { sizeBytes: count.bytes, sha256: hash.digest('hex') }
}

async function* limitBytes(
  ctx: AppContext,
  chunks: AsyncIterable<Buffer>,
  { limit, hash, count }: { limit: TransferLimit; hash: Hash; count: { bytes: number } },
): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    await ctx.disk.require()
    count.bytes += chunk.length
    requireWithin(limit, count.bytes)
    hash.update(chunk)
    yield chunk
  }
}

/** Rejects so many plain bytes: too many for any file, for one of this kind, or for the plan. */
export function requireWithin({ kind, room, declaredBytes }: TransferLimit, bytes: number): void {
  if (bytes > UPLOAD_MAX_BYTES) throw fileTooLarge(declaredBytes)
  if (kind === 'image' && bytes > IMAGE_MAX_BYTES) throw imageTooLarge()
  if (bytes > room.bytes) throw room.exceeded()
}

/** The transfer was cut and nothing is wrong with the file: the same may be sent again. */
export class InterruptedError extends AppError {
  constructor() {
    super('invalid_file', { message: 'L’envoi du fichier a été interrompu' })
  }
}

/** Names the size when it is known (behaviour.md 13.2). */
export function fileTooLarge(declaredBytes: number | undefined): AppError {
  if (declaredBytes === undefined) return new AppError('file_too_large')
  const megabytes = Math.max(601, Math.round((declaredBytes + FORM_OVERHEAD_BYTES) / MB))
  const message = `Fichier trop volumineux (${megabytes} MB). Maximum autorisé: 600MB`
  return new AppError('file_too_large', { message })
}

function imageTooLarge(): AppError {
  const megabytes = Math.floor(IMAGE_MAX_BYTES / MB)
  const message = `Cette image est trop lourde. Taille maximum: ${megabytes}MB`
  return new AppError('file_too_large', { message })
}
