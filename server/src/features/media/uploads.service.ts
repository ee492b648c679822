import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type Folder, UPLOAD_MAX_BYTES } from '#contract/media.ts'
import { OPEN_UPLOADS_MAX } from '#contract/uploads.ts'
import { type AppContext, inTransaction } from '#server/context.ts'
import { AppError, notFound } from '#server/errors.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { hashKey } from '#server/features/idempotency/idempotency.service.ts'
import { lockLimits } from '#server/features/subscriptions/subscriptions.service.ts'
import { createKeyedSemaphore } from '#server/platform/keyed-semaphore.ts'
import { openSealed, sealedSizeOf } from '#server/platform/sealing/sealed-file.ts'
import { openStored, storedSizeOf } from '#server/platform/sealing/stored-file.ts'
import { isDiskFull } from '#server/platform/storage/storage.ts'
import type { TeaserWindow } from './media.rules.ts'
import { inQuotaTransaction, reserveQuota, reserveRealBytes } from './quota.service.ts'
import { isFileRejection, requirePossibleTeaser, storeFile } from './receiving.service.ts'
import { enqueueFileDeletion } from './steps.service.ts'
import { type Destination, fileTooLarge, HEAD_BYTES, requireWithin } from './transfer.service.ts'
import {
  factsOf,
  openUploadKey,
  sealUpload,
  sourceOfPieces,
  sumOf,
  type UploadSums,
} from './upload-seal.service.ts'
import {
  deletePieces,
  deleteUploads,
  findUpload,
  findUploadByKey,
  insertUpload,
  listOpen,
  listPieces,
  lockUpload,
  markFinished,
  type PieceRow,
  touchUpload,
  type UploadRow,
} from './uploads.repository.ts'
import { expiredBefore, type UploadFacts } from './uploads.rules.ts'

/**
 * Reserves the quota of a file that will arrive in parts. The same key is the same upload for as long as there is one: an answer
 * that was lost reserves nothing twice. `idempotency_mismatch` for a file of another size.
 */
export async function createUpload(
  ctx: AppContext,
  { userId }: Actor,
  { sizeBytes, facts, key }: { sizeBytes: number; facts: UploadFacts; key: string | undefined },
): Promise<{ upload: UploadRow; isReplay: boolean }> {
  if (sizeBytes === 0) throw new AppError('invalid_file')
  if (sizeBytes > UPLOAD_MAX_BYTES) throw fileTooLarge(sizeBytes)
  // The pieces and the file that they become are both stored for a moment.
  await ctx.disk.require(2 * sizeBytes)
  const id = randomUUID()
  const sealed = sealUpload(ctx, id, facts)
  const clientKey = key === undefined ? null : hashKey(ctx, { userId }, key)
  return inQuotaTransaction(ctx, userId, async (tx) => {
    const known = clientKey && (await findKnown(tx, userId, clientKey))
    if (known) {
      if (known.declaredBytes === sizeBytes) return { upload: known, isReplay: true }
      throw new AppError('idempotency_mismatch', { id: known.id })
    }
    await reserveQuota(tx, userId, sizeBytes)
    const now = tx.now()
    const open = await listOpen(tx.db, userId, expiredBefore(now))
    if (open.length >= OPEN_UPLOADS_MAX) throw new AppError('too_many_uploads')
    const upload = await insertUpload(tx.db, {
      id,
      ownerId: userId,
      declaredBytes: sizeBytes,
      ...sealed,
      clientKey,
      createdAt: now,
    })
    return { upload, isReplay: false }
  })
}

/** The upload that a key stands for; one that has expired goes now, for its key is free. */
async function findKnown(
  tx: AppContext,
  userId: string,
  clientKey: Buffer,
): Promise<UploadRow | undefined> {
  // Calls at once with one key wait here for each other; those without wait where their room is reserved.
  await lockLimits(tx, userId)
  const known = await findUploadByKey(tx.db, userId, clientKey)
  if (!known || known.touchedAt > expiredBefore(tx.now())) return known
  await releaseUploads(tx, [known.id])
  return undefined
}

/** An upload of the actor’s own, finished or not; anything else is `not_found`. */
export async function getUpload(ctx: AppContext, actor: Actor, id: string): Promise<UploadRow> {
  const upload = await findUpload(ctx.db, actor.userId, id, expiredBefore(ctx.now()))
  if (!upload) throw notFound()
  return upload
}

export async function listOpenUploads(ctx: AppContext, actor: Actor): Promise<UploadRow[]> {
  return listOpen(ctx.db, actor.userId, expiredBefore(ctx.now()))
}

/** Releases the quota now; its bytes are deleted right after. The file that it may have become stays. */
export async function deleteUpload(ctx: AppContext, actor: Actor, id: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    if (!(await lockUpload(tx.db, actor.userId, id))) throw notFound()
    await releaseUploads(tx, [id])
  })
}

/** Deletes uploads that this transaction has locked, their keys with them. */
export async function releaseUploads(tx: AppContext, ids: readonly string[]): Promise<void> {
  await enqueueFileDeletion(tx, await deletePieces(tx.db, ids))
  await deleteUploads(tx.db, ids)
}

/** The folder and teaser of the file, as the fields of POST /api/upload. */
interface FileOptions {
  folder: Folder | undefined
  teaser: TeaserWindow | undefined
}

/** Turns an upload into a file and answers its id: the same one however often, and at once while it is under way. */
export type Finish = (actor: Actor, uploadId: string, options: FileOptions) => Promise<string>

/** Files of one person; those beyond wait. */
const FINISHING_AT_ONCE = 2

/** Calls at the same moment share one run. In two processes both compose the file, and only one of the two counts. */
export function createFinisher(ctx: AppContext, sums: UploadSums): Finish {
  const underWay = new Map<string, Promise<string>>()
  const inLane = createKeyedSemaphore(FINISHING_AT_ONCE)
  return async (actor, uploadId, options) => {
    const upload = await getUpload(ctx, actor, uploadId)
    if (upload.mediaId) return upload.mediaId
    if (upload.receivedBytes < upload.declaredBytes) throw new AppError('upload_incomplete')
    requirePossibleTeaser(options.folder, options.teaser)
    const finishing =
      underWay.get(uploadId) ??
      inLane(actor.userId, () => finish(ctx, actor, upload, { options, sums })).finally(() =>
        underWay.delete(uploadId),
      )
    underWay.set(uploadId, finishing)
    return finishing
  }
}

async function finish(
  ctx: AppContext,
  actor: Actor,
  upload: UploadRow,
  { options, sums }: { options: FileOptions; sums: UploadSums },
): Promise<string> {
  const now = ctx.now()
  try {
    if (!(await touchUpload(ctx.db, upload.id, { now, since: expiredBefore(now) }))) {
      throw notFound()
    }
    return await composeFile(ctx, actor, upload, { options, sums })
  } catch (error) {
    const found = await findUpload(ctx.db, actor.userId, upload.id, expiredBefore(ctx.now()))
    // Another process was quicker.
    if (found?.mediaId) return found.mediaId
    // Deleted meanwhile, with the pieces that were being read.
    const isExplained = error instanceof AppError || isDiskFull(error)
    if (!found && !isExplained) throw notFound()
    if (isFileRejection(error)) await deleteRejected(ctx, actor, upload)
    throw error
  }
}

/** The pieces, sealed already, become the file: what they hold is looked into, not sealed again. */
async function composeFile(
  ctx: AppContext,
  actor: Actor,
  upload: UploadRow,
  { options, sums }: { options: FileOptions; sums: UploadSums },
): Promise<string> {
  const { id, declaredBytes } = upload
  const { name, type } = factsOf(ctx, upload)
  await ctx.disk.require(declaredBytes)
  const pieces = await listPieces(ctx.db, id)
  const key = openUploadKey(ctx, upload)
  const source = sourceOfPieces(ctx, upload, pieces)
  const first = { start: 0, end: Math.min(HEAD_BYTES, declaredBytes) - 1 }
  const declaration = {
    ...options,
    fileName: name,
    declaredType: type,
    declaredBytes,
    reservation: {
      bytes: declaredBytes,
      release: (tx: AppContext, mediaId: string) => replaceByFile(tx, actor, upload, mediaId),
    },
  }
  const { id: mediaId } = await storeFile(ctx, actor, declaration, {
    head: await buffer(await openSealed(key, source, first)),
    sealedWith: key,
    async store(destination) {
      requireWithin(destination.limit, declaredBytes)
      await composePieces(ctx, pieces, destination, declaredBytes)
      return { sizeBytes: declaredBytes, sha256: await sumOf(upload, { sums, key, source }) }
    },
  })
  sums.forget(id)
  return mediaId
}

const PLACES_AT_ONCE = 4

/** Throws when the pieces are not the whole file, each in its place: that is our failure, whatever it comes from. */
async function composePieces(
  ctx: AppContext,
  pieces: readonly PieceRow[],
  { key, storageKey }: Destination,
  sizeBytes: number,
): Promise<void> {
  const parts = pieces.map((piece) => ({
    storageKey: piece.storageKey,
    sizeBytes: storedSizeOf(piece),
  }))
  await ctx.storage.compose(storageKey, parts)
  const storedBytes = await ctx.storage.size(storageKey)
  if (storedBytes !== sealedSizeOf(sizeBytes)) {
    throw new Error(`The pieces have ${storedBytes} bytes, and the file ${sizeBytes}`)
  }
  const whole = { storageKey, sizeBytes }
  const places = Readable.from([...pieces.map(({ firstByte }) => firstByte), sizeBytes - 1])
  async function openByte(byte: number): Promise<void> {
    await buffer(await openStored(ctx.storage, key, whole, { start: byte, end: byte }))
  }
  await places.forEach(openByte, { concurrency: PLACES_AT_ONCE })
}

/**
 * From here on the file counts and the upload no longer; its pieces are deleted. An upload that had expired for an instant
 * reserved nothing then, and another file may have its quota: if the file does not fit now, the upload stays.
 */
async function replaceByFile(
  tx: AppContext,
  { userId }: Actor,
  upload: UploadRow,
  mediaId: string,
): Promise<void> {
  const { id, declaredBytes } = upload
  await lockLimits(tx, userId)
  // The key that the upload had is that of the letter now, which only a `ReadingRight` opens.
  const sealed = sealUpload(tx, id, factsOf(tx, upload))
  if (!(await markFinished(tx.db, id, { mediaId, now: tx.now(), ...sealed }))) throw notFound()
  await reserveRealBytes(tx, userId, mediaId, declaredBytes)
  await enqueueFileDeletion(tx, await deletePieces(tx.db, [id]))
}

async function deleteRejected(ctx: AppContext, actor: Actor, { id }: UploadRow): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    if (await lockUpload(tx.db, actor.userId, id)) await releaseUploads(tx, [id])
  })
}
