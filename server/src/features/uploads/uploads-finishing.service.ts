import { Readable } from 'node:stream'
import type { Folder } from '#contract/media.ts'
import { type AppContext, inTransaction } from '#server/context.ts'
import { AppError, notFound } from '#server/errors.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import type { TeaserWindow } from '#server/features/media/media.rules.ts'
import { settleRoom } from '#server/features/media/media-quota.service.ts'
import { isRefusalOfFile } from '#server/features/media/media-refusals.service.ts'
import { deleteFilesLater } from '#server/features/media/media-steps.service.ts'
import { receiveUpload, requireTeaser } from '#server/features/media/media-uploads.service.ts'
import { lockLimits } from '#server/features/subscriptions/subscriptions.service.ts'
import { type DataKey, partKeyOf } from '#server/platform/sealing/keyring.ts'
import { openStored } from '#server/platform/sealing/sealed-object.ts'
import { isDiskFull } from '#server/platform/storage/storage.ts'
import { createLanes } from '#server/platform/turns.ts'
import {
  deletePieces,
  findUpload,
  listPieces,
  lockUpload,
  markFinished,
  type PieceRow,
  touchUpload,
  type UploadRow,
} from './uploads.repository.ts'
import { forgottenBefore } from './uploads.rules.ts'
import { factsOf, getUpload, openUploadKey, removeUploads } from './uploads.service.ts'

/** What the file is wanted for, as a form of POST /api/upload says it. */
interface Wish {
  folder: Folder | undefined
  teaser: TeaserWindow | undefined
}

/** Makes the file of an upload and gives its id; asked again, also while it is being made, it gives the same. */
export type Finish = (actor: Actor, uploadId: string, wish: Wish) => Promise<string>

/** Files of one person; those beyond wait for their turn. */
const MADE_AT_ONCE = 2

/** Whoever asks at the same moment waits here; in two processes both make the file, and only one of the two counts. */
export function finisherOf(ctx: AppContext): Finish {
  const underWay = new Map<string, Promise<string>>()
  const inLane = createLanes(MADE_AT_ONCE)
  return async (actor, uploadId, wish) => {
    const upload = await getUpload(ctx, actor, uploadId)
    if (upload.mediaId) return upload.mediaId
    if (upload.receivedBytes < upload.declaredBytes) throw new AppError('upload_incomplete')
    requireTeaser(wish.folder, wish.teaser)
    const making =
      underWay.get(uploadId) ??
      inLane(actor.userId, () => finish(ctx, actor, upload, wish)).finally(() =>
        underWay.delete(uploadId),
      )
    underWay.set(uploadId, making)
    return making
  }
}

async function finish(
  ctx: AppContext,
  actor: Actor,
  upload: UploadRow,
  wish: Wish,
): Promise<string> {
  const now = ctx.now()
  try {
    if (!(await touchUpload(ctx.db, upload.id, { now, since: forgottenBefore(now) }))) {
      throw notFound()
    }
    return await makeFile(ctx, actor, upload, wish)
  } catch (error) {
    const found = await findUpload(ctx.db, actor.userId, upload.id, forgottenBefore(ctx.now()))
    // Another process was quicker.
    if (found?.mediaId) return found.mediaId
    // Given up meanwhile: its pieces went under the hands of whoever was reading them.
    const isSaid = error instanceof AppError || isDiskFull(error)
    if (!found && !isSaid) throw notFound()
    if (isRefusalOfFile(error)) await removeRefused(ctx, actor, upload)
    throw error
  }
}

async function makeFile(
  ctx: AppContext,
  actor: Actor,
  upload: UploadRow,
  wish: Wish,
): Promise<string> {
  const { id, declaredBytes } = upload
  const { name, type } = factsOf(ctx, upload)
  await ctx.disk.require(declaredBytes)
  const pieces = await listPieces(ctx.db, id)
  const bytes = Readable.from(readPieces(ctx, openUploadKey(ctx, upload), pieces))
  // A piece that cannot be read is our failure, whatever becomes of it further on.
  let failure: unknown
  bytes.once('error', (error) => {
    failure = error
  })
  try {
    const received = await receiveUpload(ctx, actor, {
      ...wish,
      bytes,
      givenAway: true,
      readEnd: async () => {},
      fileName: name,
      declaredType: type,
      declaredBytes,
      room: { bytes: declaredBytes, release: (tx, mediaId) => pass(tx, actor, upload, mediaId) },
    })
    return received.id
  } catch (error) {
    throw failure ?? error
  } finally {
    bytes.destroy()
  }
}

/** The plain bytes of an upload that has arrived whole. */
async function* readPieces(
  ctx: AppContext,
  key: DataKey,
  pieces: readonly PieceRow[],
): AsyncGenerator<Buffer> {
  for (const piece of pieces) {
    yield* await openStored(ctx.storage, partKeyOf(key, String(piece.startByte)), piece)
  }
}

/**
 * From here on the file counts, and the upload no longer; its pieces go. An upload that was forgotten for an instant held
 * no room then, and somebody may have taken it: what does not fit now stays an upload.
 */
async function pass(
  tx: AppContext,
  { userId }: Actor,
  { id, declaredBytes }: UploadRow,
  mediaId: string,
): Promise<void> {
  await lockLimits(tx, userId)
  if (!(await markFinished(tx.db, id, { mediaId, now: tx.now() }))) throw notFound()
  await settleRoom(tx, userId, mediaId, declaredBytes)
  await deleteFilesLater(tx, await deletePieces(tx.db, [id]))
}

/** What is refused leaves nothing. */
async function removeRefused(ctx: AppContext, actor: Actor, { id }: UploadRow): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    if (await lockUpload(tx.db, actor.userId, id)) await removeUploads(tx, [id])
  })
}
