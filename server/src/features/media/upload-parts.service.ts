import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { CHECKED_PIECE_MAX_BYTES } from '#contract/uploads.ts'
import { type AppContext, inTransaction } from '#server/context.ts'
import { AppError } from '#server/errors.ts'
import { findActorBySession } from '#server/features/auth/auth.service.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { putSpan } from '#server/platform/sealing/stored-file.ts'
import { newStorageKey } from '#server/platform/storage/storage.ts'
import { InterruptedError } from './transfer.service.ts'
import {
  nextSpanOf,
  openTail,
  openUploadKey,
  sealTail,
  type UploadSums,
} from './upload-seal.service.ts'
import { advanceUpload, type Progress, type UploadRow } from './uploads.repository.ts'
import { expiredBefore, PIECES_PREFIX } from './uploads.rules.ts'
import { getUpload } from './uploads.service.ts'

/** The bytes of a file that one request sends. */
export interface Part {
  offset: number
  /** By the length of the request; undefined when it has none. */
  sizeBytes: number | undefined
  sha256: Buffer | undefined
  source: Readable
}

/**
 * Stores a part of an upload and answers the upload as it is then. A part without a checksum is stored as far as it came
 * before a cut; one with a checksum is stored whole or not at all.
 */
export type ReceivePart = (actor: Actor, id: string, part: Part) => Promise<UploadRow>

export function createPartReceiver(ctx: AppContext, sums: UploadSums): ReceivePart {
  const inSlot = createPartSlots()
  return async (actor, id, part) => {
    await getUpload(ctx, actor, id)
    const body = openBody(part.source, ctx.stopping)
    try {
      const sender = { userId: actor.userId, uploadId: id, body }
      return await inSlot(sender, () => receivePart(ctx, actor, id, { part, body, sums }))
    } finally {
      body.close()
    }
  }
}

async function receivePart(
  ctx: AppContext,
  actor: Actor,
  id: string,
  incoming: IncomingPart,
): Promise<UploadRow> {
  const { part, body } = incoming
  let upload = await getUpload(ctx, actor, id)
  requirePart(upload, part)
  await ctx.disk.require(part.sizeBytes)
  const { declaredBytes } = upload
  while (upload.receivedBytes < declaredBytes && (await body.hasMore())) {
    upload = await storePiece(ctx, actor, upload, incoming)
  }
  if (body.isCut()) throw new InterruptedError()
  const { receivedBytes } = upload
  if (receivedBytes === declaredBytes && (await body.hasMore())) {
    throw new AppError('body_too_large')
  }
  return { ...(await getUpload(ctx, actor, id)), receivedBytes }
}

function requirePart(upload: UploadRow, { offset, sizeBytes, sha256 }: Part): void {
  if (offset !== upload.receivedBytes) throw new AppError('upload_moved_on')
  const missingBytes = upload.declaredBytes - offset
  const mostBytes = sha256 ? Math.min(missingBytes, CHECKED_PIECE_MAX_BYTES) : missingBytes
  // A part with a checksum is one piece: its length has to be known.
  if ((sizeBytes ?? (sha256 ? Number.POSITIVE_INFINITY : 0)) > mostBytes) {
    throw new AppError('body_too_large')
  }
}

interface IncomingPart {
  part: Part
  body: PartBody
  sums: UploadSums
}

/** Stores one piece, then counts it; answers the upload as it is then. */
async function storePiece(
  ctx: AppContext,
  actor: Actor,
  upload: UploadRow,
  { part: { sha256 }, body, sums }: IncomingPart,
): Promise<UploadRow> {
  const { id, declaredBytes, receivedBytes: from } = upload
  const storageKey = newStorageKey(PIECES_PREFIX)
  const key = openUploadKey(ctx, upload)
  const span = nextSpanOf(upload)
  const tailBefore = openTail(ctx, upload)
  const partHash = sha256 && createHash('sha256')
  const fileHash = sums.until(id, from)
  let to = from
  async function* counted(): AsyncGenerator<Buffer> {
    if (tailBefore.length > 0) yield tailBefore
    for await (const chunk of body.piece(declaredBytes - from, !!sha256)) {
      await ctx.disk.require()
      to += chunk.length
      partHash?.update(chunk)
      fileHash?.update(chunk)
      yield chunk
    }
  }
  const { sizeBytes, tail } = await putSpan(ctx.storage, key, storageKey, {
    span,
    plain: counted(),
  })
  const { firstByte } = span
  const piece = sizeBytes > 0 ? { firstByte, sizeBytes, storageKey } : undefined
  const sealedTail = sealTail(key, to, tail)
  try {
    if (partHash && body.isCut()) throw new InterruptedError()
    if (sha256 && !partHash?.digest().equals(sha256)) throw new AppError('upload_altered')
    await countProgress(ctx, actor, { uploadId: id, from, to, piece, sealedTail })
  } catch (error) {
    // After any other failure the commit may stand all the same: the object that it names must stay.
    if (error instanceof AppError && piece) await ctx.storage.delete(storageKey)
    throw error
  }
  if (fileHash) sums.keep(id, to, fileHash)
  return { ...upload, receivedBytes: to, sealedTail }
}

/** Adds what has arrived, if its sender is signed in still and the upload ends where it begins. */
async function countProgress(ctx: AppContext, actor: Actor, progress: Progress): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    if (!(await findActorBySession(tx, actor.sessionId))) throw new AppError('unauthenticated')
    const now = tx.now()
    if (await advanceUpload(tx.db, progress, { now, since: expiredBefore(now) })) return
    await getUpload(tx, actor, progress.uploadId)
    throw new AppError('upload_moved_on')
  })
}

const PARTS_AT_ONCE = 4
/** A dead connection ends within it; one that sends nothing for as long is cut for the next. */
const GRACE_MS = 2_000

interface RunningPart {
  body: PartBody
  ended: Promise<void>
}

interface PartSender {
  userId: string
  uploadId: string
  body: PartBody
}

/**
 * Runs one part of an upload at a time, and parts of a few uploads of one person; the others are rejected before they are
 * read. A client that comes back after a lost connection replaces its hanging part, and counts once.
 */
function createPartSlots() {
  const running = new Map<string, RunningPart>()
  const counts = new Map<string, number>()

  return async <T>({ userId, uploadId, body }: PartSender, work: () => Promise<T>): Promise<T> => {
    const previous = running.get(uploadId)
    if (previous) await endPrevious(previous)
    if (running.has(uploadId)) throw new AppError('upload_moved_on')
    const count = counts.get(userId) ?? 0
    if (count >= PARTS_AT_ONCE) throw new AppError('too_many_requests', { retryAfterSeconds: 5 })
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    counts.set(userId, count + 1)
    running.set(uploadId, { body, ended })
    try {
      return await work()
    } finally {
      running.delete(uploadId)
      const left = (counts.get(userId) ?? 1) - 1
      if (left === 0) counts.delete(userId)
      else counts.set(userId, left)
      end()
    }
  }
}

/** Waits a while for a part to end, and cuts it when it sends nothing meanwhile. */
async function endPrevious({ body, ended }: RunningPart): Promise<void> {
  const bytesBefore = body.readBytes()
  const { promise: late, resolve } = Promise.withResolvers<'late'>()
  const timer = setTimeout(() => resolve('late'), GRACE_MS)
  const end = await Promise.race([ended, late])
  clearTimeout(timer)
  if (end !== 'late' || body.readBytes() > bytesBefore) return
  body.cut()
  await ended
}

/** The most that one sealed piece has: a killed server loses so much of a part. */
const PIECE_MAX_BYTES = 16 * 1024 * 1024
/** On a slow line a piece ends sooner, once it is worth an object of its own. */
const PIECE_MAX_MS = 10_000
const SHORT_PIECE_BYTES = 1024 * 1024
/** A phone that sends nothing for so long has gone to sleep. */
const SILENCE_MS = 60_000

/** The body of one request, read piece by piece. A cut is an end: the bytes before it are good. */
interface PartBody {
  /** Whether another byte comes. */
  hasMore(): Promise<boolean>
  /**
   * The bytes up to `maxBytes`, each chunk alone in its memory, or to the end of a piece; with `isChecked` the whole
   * request, however slow.
   */
  piece(maxBytes: number, isChecked: boolean): AsyncGenerator<Buffer>
  /** Whether the end was a cut: by the client, by silence, or because the program stops. */
  isCut(): boolean
  readBytes(): number
  /** Ends it here, as a lost connection would. */
  cut(): void
  close(): void
}

function openBody(source: Readable, stopping: AbortSignal): PartBody {
  // The request lives on after the last piece: its response is still to be sent.
  const iterator: AsyncIterator<Buffer> = source.iterator({ destroyOnReturn: false })
  let rest: Buffer | undefined
  let isCut = false
  let readBytes = 0
  const cut = () => void source.destroy()
  if (stopping.aborted) cut()
  stopping.addEventListener('abort', cut, { once: true })

  async function next(): Promise<Buffer | undefined> {
    const silence = setTimeout(cut, SILENCE_MS)
    try {
      const { value, done } = await iterator.next()
      if (done) return undefined
      readBytes += value.length
      return value
    } catch {
      isCut = true
      return undefined
    } finally {
      clearTimeout(silence)
    }
  }

  async function* piece(maxBytes: number, isChecked: boolean): AsyncGenerator<Buffer> {
    const most = Math.min(maxBytes, PIECE_MAX_BYTES)
    const endsAt = performance.now() + PIECE_MAX_MS
    let size = 0
    while (size < most) {
      if (!isChecked && size >= SHORT_PIECE_BYTES && performance.now() > endsAt) return
      const chunk = rest ?? (await next())
      rest = undefined
      if (!chunk) return
      const start = chunk.subarray(0, most - size)
      // A copy: the reader of the start frees its memory before the rest is read.
      if (start.length < chunk.length) rest = Buffer.from(chunk.subarray(start.length))
      size += start.length
      yield start
    }
  }

  return {
    piece,
    async hasMore() {
      rest ??= await next()
      return rest !== undefined
    },
    isCut: () => isCut,
    readBytes: () => readBytes,
    cut,
    close() {
      stopping.removeEventListener('abort', cut)
      // The rest of the body may then flow away.
      void iterator.return?.()
    },
  }
}
