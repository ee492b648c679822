import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { INVALID_AVATAR } from '#contract/profiles.ts'
import type { AppContext } from '#server/context.ts'
import { type AppError, fieldError, notFound } from '#server/errors.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { findUnusedPicture, releasePicture } from '#server/features/media/media.service.ts'
import { enqueueFileDeletion } from '#server/features/media/steps.service.ts'
import { sweepOrphans } from '#server/features/media/sweep.service.ts'
import { withKeyedMutex } from '#server/platform/keyed-semaphore.ts'
import { renderAvatar } from '#server/platform/media-tools/images.ts'
import { TooManyPixels, UnreadableMedia } from '#server/platform/media-tools/media-errors.ts'
import { openStored, putSealed } from '#server/platform/sealing/stored-file.ts'
import { ObjectMissing } from '#server/platform/storage/storage.ts'
import {
  type AvatarRow,
  deleteAvatar,
  findAvatar,
  findShownAvatar,
  insertAvatar,
  listKnownAvatars,
} from './avatars.repository.ts'

const ADDRESSES = '/api/avatars/'
const VERSION = /^([0-9a-f]{32})\.webp$/

/** The storage key of a picture; its random name is also its version in the address. */
function storageKeyOf(version: string): string {
  return `avatars/${version.slice(0, 2)}/${version}`
}

/** The public address of a picture. Another picture has another address: browsers may cache it for ever. */
function avatarUrlOf(userId: string, version: string): string {
  return `${ADDRESSES}${userId}/${version}.webp`
}

/** Whether an address is that of an upload, from which a picture must be rendered, and not of one’s own picture. */
export function isUploadUrl(avatarUrl: string | null | undefined): boolean {
  return Boolean(avatarUrl) && !avatarUrl?.startsWith(ADDRESSES)
}

/** The storage key of the last part of an address; undefined for a name that no picture has. */
function findStorageKey(name: string): string | undefined {
  const version = VERSION.exec(name)?.[1]
  return version && storageKeyOf(version)
}

/** A stored picture, and the upload it was rendered from. */
interface NewAvatar extends StoredAvatar {
  mediaId: string
}

/** Renders the picture of a profile from an own, unused upload and stores it; a `fieldError` for any other address. */
export async function createAvatar(
  ctx: AppContext,
  actor: Actor,
  uploadUrl: string,
): Promise<NewAvatar> {
  await ctx.disk.require()
  const picture = await findUnusedPicture(ctx, actor, uploadUrl)
  if (!picture) throw invalidAvatar()
  // Rendering a picture takes much more memory than its file: never two at once.
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

/** Replaces the picture of a profile, and releases the upload of the new one. */
export async function replaceAvatar(
  tx: AppContext,
  actor: Actor,
  avatar: NewAvatar,
): Promise<void> {
  if (!(await releasePicture(tx, actor, avatar.mediaId))) throw invalidAvatar()
  await removeAvatar(tx, actor)
  await insertAvatar(tx.db, avatar.row)
}

/** Removes the picture of a profile; its bytes are deleted once this transaction has committed. */
export async function removeAvatar(tx: AppContext, actor: Actor): Promise<void> {
  const current = await findAvatar(tx.db, actor.userId)
  if (!current) return
  await deleteAvatar(tx.db, actor.userId)
  await enqueueFileDeletion(tx, [current.storageKey])
}

/** A stored picture that no row names yet. */
interface StoredAvatar {
  url: string
  row: AvatarRow
}

/** Stores a picture, sealed like every file, under a name that no picture had before. */
async function storeAvatar(ctx: AppContext, userId: string, bytes: Buffer): Promise<StoredAvatar> {
  const version = randomBytes(16).toString('hex')
  const storageKey = storageKeyOf(version)
  const { dataKey, wrapped } = ctx.keyring.createDataKey(subjectOf(userId))
  await putSealed(ctx.storage, dataKey, storageKey, [bytes])
  return {
    url: avatarUrlOf(userId, version),
    row: {
      userId,
      storageKey,
      wrappedKey: wrapped,
      sizeBytes: bytes.length,
      createdAt: ctx.now(),
    },
  }
}

/** Deletes a picture that no row will name; one that cannot be deleted now is swept later. */
export async function discardAvatar(ctx: AppContext, { row }: StoredAvatar): Promise<void> {
  await ctx.storage
    .delete(row.storageKey)
    .catch((error) => ctx.log.warn({ err: error }, 'a picture is left to be swept'))
}

/** The picture of a public address; `not_found` for one that is replaced, gone or hidden with its profile. */
export async function readAvatar(ctx: AppContext, userId: string, name: string): Promise<Buffer> {
  const storageKey = findStorageKey(name)
  const avatar = storageKey && (await findShownAvatar(ctx.db, userId))
  if (!avatar || avatar.storageKey !== storageKey) throw notFound()
  return readStored(ctx, avatar)
}

/** One’s own picture, hidden or not. */
export async function readOwnAvatar(ctx: AppContext, userId: string): Promise<Buffer | undefined> {
  const avatar = await findAvatar(ctx.db, userId)
  return avatar && readStored(ctx, avatar)
}

async function readStored(ctx: AppContext, avatar: AvatarRow): Promise<Buffer> {
  try {
    return await openAvatar(ctx, avatar)
  } catch (error) {
    if (!(error instanceof ObjectMissing)) throw error
    ctx.log.error({ userId: avatar.userId }, 'the stored bytes of a picture are missing')
    throw notFound()
  }
}

/** Throws `SealBroken`, or `ObjectMissing`. */
export async function openAvatar(ctx: AppContext, avatar: AvatarRow): Promise<Buffer> {
  const key = ctx.keyring.openDataKey(subjectOf(avatar.userId), avatar.wrappedKey)
  return buffer(await openStored(ctx.storage, key, avatar))
}

/** Deletes stored pictures that no row names: a kill between the two left them. */
export async function sweepOrphanAvatars(ctx: AppContext): Promise<void> {
  await sweepOrphans(ctx, 'avatars/', listKnownAvatars)
}

function subjectOf(userId: string): string {
  return `avatar:${userId}`
}
