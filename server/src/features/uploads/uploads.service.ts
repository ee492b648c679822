import { randomUUID } from 'node:crypto'
import { UPLOAD_MAX_BYTES } from '#contract/media.ts'
import { OPEN_UPLOADS_MAX } from '#contract/uploads.ts'
import { type AppContext, inTransaction } from '#server/context.ts'
import { AppError, notFound } from '#server/errors.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { lockRoom, reserving } from '#server/features/media/media-quota.service.ts'
import { tooLarge } from '#server/features/media/media-refusals.service.ts'
import { deleteFilesLater } from '#server/features/media/media-steps.service.ts'
import type { DataKey } from '#server/platform/sealing/keyring.ts'
import { openText, sealText } from '#server/platform/sealing/sealed-text.ts'
import {
  deletePieces,
  deleteUploads,
  findUpload,
  insertUpload,
  listOpen,
  lockUpload,
  type UploadRow,
} from './uploads.repository.ts'
import { forgottenBefore } from './uploads.rules.ts'
import type { UploadFacts } from './uploads-protocol.service.ts'

const FACTS_FIELD = 'uploads.sealed_facts'

/** Reserves the room of a file that will arrive in parts, and gives the place they go to. */
export async function createUpload(
  ctx: AppContext,
  { userId }: Actor,
  { sizeBytes, facts }: { sizeBytes: number; facts: UploadFacts },
): Promise<UploadRow> {
  if (sizeBytes === 0) throw new AppError('invalid_file')
  if (sizeBytes > UPLOAD_MAX_BYTES) throw tooLarge(sizeBytes)
  // Its pieces and the file that is made of them are both there for a moment.
  await ctx.disk.require(2 * sizeBytes)
  const id = randomUUID()
  const { dataKey, wrapped } = ctx.keyring.createDataKey(subjectOf(id))
  return reserving(ctx, userId, async (tx) => {
    await lockRoom(tx, userId, sizeBytes)
    const now = tx.now()
    const open = await listOpen(tx.db, userId, forgottenBefore(now))
    if (open.length >= OPEN_UPLOADS_MAX) throw new AppError('too_many_uploads')
    return insertUpload(tx.db, {
      id,
      ownerId: userId,
      declaredBytes: sizeBytes,
      wrappedKey: wrapped,
      sealedFacts: sealText(dataKey, FACTS_FIELD, JSON.stringify(facts)),
      createdAt: now,
    })
  })
}

/** An upload of the actor’s own, finished or not; anything else is `not_found`. */
export async function getUpload(ctx: AppContext, actor: Actor, id: string): Promise<UploadRow> {
  const upload = await findUpload(ctx.db, actor.userId, id, forgottenBefore(ctx.now()))
  if (!upload) throw notFound()
  return upload
}

export async function listOpenUploads(ctx: AppContext, actor: Actor): Promise<UploadRow[]> {
  return listOpen(ctx.db, actor.userId, forgottenBefore(ctx.now()))
}

/** Gives the room back now, its bytes are deleted right after. The file it may have become stays. */
export async function abandonUpload(ctx: AppContext, actor: Actor, id: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    if (!(await lockUpload(tx.db, actor.userId, id))) throw notFound()
    await removeUploads(tx, [id])
  })
}

/** Forgets uploads that this transaction holds, their keys with them. */
export async function removeUploads(tx: AppContext, ids: readonly string[]): Promise<void> {
  await deleteFilesLater(tx, await deletePieces(tx.db, ids))
  await deleteUploads(tx.db, ids)
}

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
