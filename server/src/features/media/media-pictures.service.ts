import type { Readable } from 'node:stream'
import type { AppContext } from '#server/context.ts'
import { grantPreview } from '#server/features/access/grants.service.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { findMedia, findObject, lockMedia, type MediaRow } from './media.repository.ts'
import { isClaimable } from './media.rules.ts'
import { releaseMedia } from './media.service.ts'
import { openLetterKey, plainFileOf } from './media-keys.service.ts'
import { pathOf, readPath } from './media-names.rules.ts'

/** A picture the actor just sent, to be copied elsewhere. */
export interface LentPicture {
  mediaId: string
  read(): Promise<Readable>
}

/** The picture a client names by the `url` of its upload; undefined unless it is the actor’s own and unused. */
export async function lendPicture(
  ctx: AppContext,
  actor: Actor,
  url: string,
): Promise<LentPicture | undefined> {
  const named = readPath(url)
  const media = named && (await findMedia(ctx.db, named.mediaId))
  if (!media || pathOf(media) !== named.path || !isFree(actor, media)) return undefined
  const right = grantPreview(actor.userId, media)
  const original = await findObject(ctx.db, media.id, 'original')
  if (!right || !original) return undefined
  const file = plainFileOf(ctx, openLetterKey(ctx, right, media), original)
  return { mediaId: media.id, read: () => file.read({ start: 0, end: file.size - 1 }) }
}

/** Forgets a picture that was copied; false when it was used or gone meanwhile. */
export async function giveBackPicture(
  tx: AppContext,
  actor: Actor,
  mediaId: string,
): Promise<boolean> {
  const media = await lockMedia(tx.db, mediaId)
  if (!media || !isFree(actor, media)) return false
  await releaseMedia(tx, mediaId)
  return true
}

function isFree(actor: Actor, media: MediaRow): boolean {
  return (
    media.ownerId === actor.userId &&
    media.kind === 'image' &&
    media.attachedAt === null &&
    isClaimable(media)
  )
}
