import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { CHECKED_PIECE_MAX_BYTES } from '#contract/uploads.ts'
import { type AppContext, inTransaction } from '#server/context.ts'
import { AppError } from '#server/errors.ts'
import { findActorBySession } from '#server/features/auth/auth.service.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { Interrupted } from '#server/features/media/media-refusals.service.ts'
import { partKeyOf } from '#server/platform/sealing/keyring.ts'
import { putSealed } from '#server/platform/sealing/sealed-object.ts'
import { newStorageKey } from '#server/platform/storage/storage.ts'
import { addPiece, type PieceRow, type UploadRow } from './uploads.repository.ts'
import { forgottenBefore, PIECES_PREFIX } from './uploads.rules.ts'
import { getUpload, openUploadKey } from './uploads.service.ts'
import { type Intake, openIntake } from './uploads-intake.service.ts'
import { createPartSlots } from './uploads-slots.service.ts'

/** What one request brings of a file. */
export interface Part {
  offset: number
  /** By the length of the request; undefined when it does not say. */
  sizeBytes: number | undefined
  sha256: Buffer | undefined
  source: Readable
}

/**
 * Keeps a part of an upload and gives the upload as it is then. A part without a checksum is kept as far as it came,
 * whatever cuts it; one with a checksum is kept whole or not at all.
 */
export type TakePart = (actor: Actor, id: string, part: Part) => Promise<UploadRow>

export function partTakerOf(ctx: AppContext): TakePart {
  const inSlot = createPartSlots()
  return async (actor, id, part) => {
    await getUpload(ctx, actor, id)
    const intake = openIntake(part.source, ctx.stopping)
    try {
      const bringer = { userId: actor.userId, uploadId: id, intake }
      return await inSlot(bringer, () => takePart(ctx, actor, id, { part, intake }))
    } finally {
      intake.close()
    }
  }
}

async function takePart(
  ctx: AppContext,
  actor: Actor,
  id: string,
  { part, intake }: Pick<PieceToKeep, 'part' | 'intake'>,
): Promise<UploadRow> {
  const upload = await getUpload(ctx, actor, id)
  requirePart(upload, part)
  await ctx.disk.require(part.sizeBytes)
  const { declaredBytes } = upload
  let { offset } = part
  while (offset < declaredBytes && (await intake.hasMore())) {
    offset += await keepPiece(ctx, actor, { upload, offset, part, intake })
  }
  if (intake.isCut()) throw new Interrupted()
  if (offset === declaredBytes && (await intake.hasMore())) throw new AppError('body_too_large')
  return { ...(await getUpload(ctx, actor, id)), receivedBytes: offset }
}

function requirePart(upload: UploadRow, { offset, sizeBytes, sha256 }: Part): void {
  if (offset !== upload.receivedBytes) throw new AppError('upload_moved_on')
  const missingBytes = upload.declaredBytes - offset
  const mostBytes = sha256 ? Math.min(missingBytes, CHECKED_PIECE_MAX_BYTES) : missingBytes
  // What is checked is one piece: its length has to be known.
  if ((sizeBytes ?? (sha256 ? Number.POSITIVE_INFINITY : 0)) > mostBytes) {
    throw new AppError('body_too_large')
  }
}

interface PieceToKeep {
  upload: UploadRow
  offset: number
  part: Part
  intake: Intake
}

/** Stores one piece, then counts it; the answer is its size. */
async function keepPiece(
  ctx: AppContext,
  actor: Actor,
  { upload, offset, part, intake }: PieceToKeep,
): Promise<number> {
  const storageKey = newStorageKey(PIECES_PREFIX)
  const { sha256 } = part
  const hash = sha256 && createHash('sha256')
  let sizeBytes = 0
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of intake.piece(upload.declaredBytes - offset, !!hash)) {
      await ctx.disk.require()
      sizeBytes += chunk.length
      hash?.update(chunk)
      yield chunk
    }
  }
  const key = partKeyOf(openUploadKey(ctx, upload), String(offset))
  await putSealed(ctx.storage, key, storageKey, counted(), { givenAway: true })
  try {
    if (hash && intake.isCut()) throw new Interrupted()
    if (hash && !hash.digest().equals(sha256)) throw new AppError('upload_altered')
    await countPiece(ctx, actor, { uploadId: upload.id, startByte: offset, sizeBytes, storageKey })
  } catch (error) {
    // After any other failure the commit may stand all the same: what it names must not go.
    if (error instanceof AppError) await ctx.storage.delete(storageKey)
    throw error
  }
  return sizeBytes
}

/** Moves the upload on: its sender is signed in still, and it is where the piece begins. */
async function countPiece(ctx: AppContext, actor: Actor, piece: PieceRow): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    if (!(await findActorBySession(tx, actor.sessionId))) throw new AppError('unauthenticated')
    const now = tx.now()
    if (await addPiece(tx.db, piece, { now, since: forgottenBefore(now) })) return
    await getUpload(tx, actor, piece.uploadId)
    throw new AppError('upload_moved_on')
  })
}
