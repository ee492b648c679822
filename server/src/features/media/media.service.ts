import type { Readable } from 'node:stream'
import type { FileType } from '#contract/revelations.ts'
import { type AppContext, inTransaction } from '#server/context.ts'
import { fieldError, notFound } from '#server/errors.ts'
import { grantLinkPreview, grantPreview } from '#server/features/access/grants.service.ts'
import type { KeyHolder } from '#server/features/access/personal-keys.rules.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import type { ReadingRight } from '#server/platform/sealing/reading-right.ts'
import { openFacts, openKeyForWork, openLetterKey, plainFileOf } from './file-keys.service.ts'
import { fileIdIn, pathOf, readPath } from './file-names.rules.ts'
import {
  deleteMedia,
  deleteObjects,
  findKind,
  findMedia,
  findObject,
  lockMedia,
  lockMediaInOrder,
  type MediaRow,
  markAttached,
} from './media.repository.ts'
import { isClaimable, type TeaserWindow } from './media.rules.ts'
import { enqueueFileDeletion, replaceTeaser, requireTeaser } from './steps.service.ts'

export interface ClaimedMedia {
  mediaId: string
  kind: FileType
  sha256: Buffer
  durationSeconds: number | null
  sizeBytes: number
}

/**
 * Locks files before they are claimed or released one by one, all in the order of their ids: two letters that name the same
 * ones in other orders wait for each other once, and never both.
 */
export async function lockNamed(
  tx: AppContext,
  urls: readonly string[],
  mediaIds: readonly string[],
): Promise<void> {
  await lockMediaInOrder(tx.db, [...urls.flatMap((url) => fileIdIn(url) ?? []), ...mediaIds])
}

/**
 * Claims a file of the actor's own for one use, once and for all. Anything but an own, unused, readable file is the same
 * « Fichier invalide » of the field that named it.
 */
export async function claimMedia(
  tx: AppContext,
  actor: Actor,
  fileUrl: string,
  field = 'file_url',
): Promise<ClaimedMedia> {
  return claimFile(tx, fileUrl, field, (media) => grantPreview(actor.userId, media))
}

/** The same for a voice that an account, or the bearer of a personal link, sent for a reply. */
export async function claimVoice(
  tx: AppContext,
  { actor, keyHolder }: { actor: Actor | null; keyHolder: KeyHolder | undefined },
  fileUrl: string,
): Promise<ClaimedMedia> {
  return claimFile(
    tx,
    fileUrl,
    'file_url',
    (media) => grantPreview(actor?.userId, media) ?? grantLinkPreview(keyHolder, media),
  )
}

/** What a file of one’s own is. */
export async function getKind(ctx: AppContext, mediaId: string): Promise<FileType> {
  const kind = await findKind(ctx.db, mediaId)
  if (!kind) throw notFound()
  return kind
}

async function claimFile(
  tx: AppContext,
  fileUrl: string,
  field: string,
  grant: (media: MediaRow) => ReadingRight | undefined,
): Promise<ClaimedMedia> {
  const media = await lockFile(tx, fileUrl)
  const right = media && grant(media)
  if (!right || media.attachedAt !== null || !isClaimable(media)) {
    throw fieldError(field, 'Fichier invalide')
  }
  await markAttached(tx.db, media.id, tx.now())
  const { sha256, durationSeconds } = openFacts(openLetterKey(tx, right, media), media)
  const mediaId = media.id
  const { kind, sizeBytes } = media
  return { mediaId, kind, sha256: Buffer.from(sha256, 'hex'), durationSeconds, sizeBytes }
}

/** Deletes a file and its keys now, its bytes right after. No row may refer to it any more. */
export async function releaseMedia(tx: AppContext, mediaId: string): Promise<void> {
  await enqueueFileDeletion(tx, await deleteObjects(tx.db, mediaId))
  await deleteMedia(tx.db, mediaId)
}

/** Deletes a file of the actor's own that nothing uses; anything else is `not_found`. */
export async function deleteUnusedFile(ctx: AppContext, actor: Actor, path: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const media = await lockOwnFile(tx, actor, path)
    if (!media || media.attachedAt !== null || media.state === 'receiving') throw notFound()
    await releaseMedia(tx, media.id)
  })
}

/** How long and how heavy a recording may be, with the sentences that refuse others. */
export interface RecordingLimits {
  maxSeconds: number
  maxBytes: number
  tooLong: string
  tooHeavy: string
}

/** Rejects `field` for a claimed file that is no recording, or is beyond these limits. */
export function requireRecording(
  { kind, durationSeconds, sizeBytes }: ClaimedMedia,
  field: string,
  { maxSeconds, maxBytes, tooLong, tooHeavy }: RecordingLimits,
): void {
  if (kind !== 'audio') throw fieldError(field, 'Ce fichier n’est pas un enregistrement')
  if (durationSeconds === null || durationSeconds > maxSeconds) throw fieldError(field, tooLong)
  if (sizeBytes > maxBytes) throw fieldError(field, tooHeavy)
}

async function lockOwnFile(
  tx: AppContext,
  actor: Actor,
  url: string,
): Promise<MediaRow | undefined> {
  const media = await lockFile(tx, url)
  return media?.ownerId === actor.userId ? media : undefined
}

async function lockFile(tx: AppContext, url: string): Promise<MediaRow | undefined> {
  const named = readPath(url)
  const media = named && (await lockMedia(tx.db, named.mediaId))
  return media && pathOf(media) === named?.path ? media : undefined
}

/** Sets or removes the teaser of a video; rejects `teaser_end` when the window does not fit. */
export async function updateTeaser(
  tx: AppContext,
  mediaId: string,
  window: TeaserWindow | null,
): Promise<void> {
  const media = await lockMedia(tx.db, mediaId)
  if (!media) throw notFound()
  if (!window) return replaceTeaser(tx, mediaId, null)
  if (media.kind !== 'video')
    throw fieldError('teaser_end', 'Seule une vidéo peut avoir un extrait')
  const { durationSeconds } = openFacts(openKeyForWork(tx, media), media)
  await replaceTeaser(tx, mediaId, requireTeaser('teaser_end', window, durationSeconds))
}

/** A picture that the actor has just sent, to be copied elsewhere. */
export interface UnusedPicture {
  mediaId: string
  read(): Promise<Readable>
}

/** The picture that a client names by the `url` of its upload; undefined unless it is the actor’s own and unused. */
export async function findUnusedPicture(
  ctx: AppContext,
  actor: Actor,
  url: string,
): Promise<UnusedPicture | undefined> {
  const named = readPath(url)
  const media = named && (await findMedia(ctx.db, named.mediaId))
  if (!media || pathOf(media) !== named.path || !isUnusedPicture(actor, media)) return undefined
  const right = grantPreview(actor.userId, media)
  const original = await findObject(ctx.db, media.id, 'original')
  if (!right || !original) return undefined
  const file = plainFileOf(ctx, openLetterKey(ctx, right, media), original)
  return { mediaId: media.id, read: () => file.read({ start: 0, end: file.size - 1 }) }
}

/** Deletes a picture that was copied; false when it was used or deleted meanwhile. */
export async function releasePicture(
  tx: AppContext,
  actor: Actor,
  mediaId: string,
): Promise<boolean> {
  const media = await lockMedia(tx.db, mediaId)
  if (!media || !isUnusedPicture(actor, media)) return false
  await releaseMedia(tx, mediaId)
  return true
}

function isUnusedPicture(actor: Actor, media: MediaRow): boolean {
  return (
    media.ownerId === actor.userId &&
    media.kind === 'image' &&
    media.attachedAt === null &&
    isClaimable(media)
  )
}
