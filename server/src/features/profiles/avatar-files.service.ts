import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { AppContext } from '#server/context.ts'
import { notFound } from '#server/errors.ts'
import { sweepOrphans } from '#server/features/media/sweep.service.ts'
import { openStored, putSealed } from '#server/platform/sealing/stored-file.ts'
import { ObjectMissing } from '#server/platform/storage/storage.ts'
import {
  type AvatarRow,
  findAvatar,
  findShownAvatar,
  listKnownAvatars,
} from './avatars.repository.ts'
import { avatarKeyNamed, avatarKeyOf, avatarUrlOf } from './avatars.rules.ts'

/** A picture that is stored, and that no row names yet. */
export interface StoredAvatar {
  url: string
  row: AvatarRow
}

/** Stores a picture, sealed like every file, under a name that no picture had before. */
export async function storeAvatar(
  ctx: AppContext,
  userId: string,
  bytes: Buffer,
): Promise<StoredAvatar> {
  const version = randomBytes(16).toString('hex')
  const storageKey = avatarKeyOf(version)
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

/** Takes back a picture that no row will name; what cannot be deleted now is swept later. */
export async function discardAvatar(ctx: AppContext, { row }: StoredAvatar): Promise<void> {
  await ctx.storage
    .delete(row.storageKey)
    .catch((error) => ctx.log.warn({ err: error }, 'a picture is left to be swept'))
}

/** The picture at an address, for everybody; `not_found` for one that is replaced, gone or hidden with its profile. */
export async function readAvatar(ctx: AppContext, userId: string, name: string): Promise<Buffer> {
  const storageKey = avatarKeyNamed(name)
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

/** Deletes stored pictures that no row names: what a kill left between the two. */
export async function sweepOrphanAvatars(ctx: AppContext): Promise<void> {
  await sweepOrphans(ctx, 'avatars/', listKnownAvatars)
}

function subjectOf(userId: string): string {
  return `avatar:${userId}`
}
