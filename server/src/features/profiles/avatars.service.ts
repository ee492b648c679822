import { INVALID_AVATAR } from '#contract/profiles.ts'
import type { AppContext } from '#server/context.ts'
import { type AppError, fieldError } from '#server/errors.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { findUnusedPicture, releasePicture } from '#server/features/media/media.service.ts'
import { enqueueFileDeletion } from '#server/features/media/steps.service.ts'
import { withKeyedMutex } from '#server/platform/keyed-semaphore.ts'
import { renderAvatar } from '#server/platform/media-tools/images.ts'
import { TooManyPixels, UnreadableMedia } from '#server/platform/media-tools/media-errors.ts'
import { ObjectMissing } from '#server/platform/storage/storage.ts'
import { type StoredAvatar, storeAvatar } from './avatar-files.service.ts'
import { deleteAvatar, findAvatar, insertAvatar } from './avatars.repository.ts'

/** A picture made of an upload that is still there. */
export interface NewAvatar extends StoredAvatar {
  mediaId: string
}

/** Makes the picture of a profile from an own, unused upload; anything else is refused in one sentence. */
export async function makeNewAvatar(
  ctx: AppContext,
  actor: Actor,
  uploadUrl: string,
): Promise<NewAvatar> {
  await ctx.disk.require()
  const picture = await findUnusedPicture(ctx, actor, uploadUrl)
  if (!picture) throw invalidAvatar()
  // A picture takes much more memory than its file while it is made: never two at once.
  const bytes = await withKeyedMutex('avatars', async () =>
    renderAvatar(await picture.read()),
  ).catch((error) => {
    throw isUnreadable(error) ? invalidAvatar() : error
  })
  return { ...(await storeAvatar(ctx, actor.userId, bytes)), mediaId: picture.mediaId }
}

function isUnreadable(error: unknown): boolean {
  return [UnreadableMedia, TooManyPixels, ObjectMissing].some((kind) => error instanceof kind)
}

function invalidAvatar(): AppError {
  return fieldError('avatar_url', INVALID_AVATAR)
}

/** Puts the new picture in the place of the old one, and gives the upload it was made from back. */
export async function placeAvatar(tx: AppContext, actor: Actor, avatar: NewAvatar): Promise<void> {
  if (!(await releasePicture(tx, actor, avatar.mediaId))) throw invalidAvatar()
  await removeAvatar(tx, actor)
  await insertAvatar(tx.db, avatar.row)
}

/** Takes the picture of a profile away; its bytes go once this transaction has committed. */
export async function removeAvatar(tx: AppContext, actor: Actor): Promise<void> {
  const current = await findAvatar(tx.db, actor.userId)
  if (!current) return
  await deleteAvatar(tx.db, actor.userId)
  await enqueueFileDeletion(tx, [current.storageKey])
}
