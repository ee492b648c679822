import type { FailedJob } from '#contract/jobs.ts'
import type { FileType } from '#contract/revelations.ts'
import { type AppContext, inTransaction } from '#server/context.ts'
import { fieldError, notFound } from '#server/errors.ts'
import { grantPreview } from '#server/features/access/grants.service.ts'
import type { MediaAccess, MediaGate } from '#server/features/access/media-gate.service.ts'
import { findActorBySession } from '#server/features/auth/auth.service.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import type { ReadingRight } from '#server/platform/sealing/reading-right.ts'
import {
  deleteMedia,
  deleteObjects,
  isUsedBy,
  listMediaFiles,
  lockMedia,
  type MediaFile,
  type MediaRow,
  markAttached,
} from './media.repository.ts'
import {
  isClaimable,
  type MediaPart,
  type Processing,
  summarize,
  type TeaserWindow,
} from './media.rules.ts'
import { openFacts, openKeyForWork, openLetterKey } from './media-keys.service.ts'
import { type AddressedVariant, pathOf, readPath } from './media-names.rules.ts'
import { measure } from './media-quota.service.ts'
import { listSteps, type StepRow } from './media-steps.repository.ts'
import { deleteFilesLater, fitWindow, setTeaser } from './media-steps.service.ts'
import { ticketedUrl } from './media-tickets.service.ts'

export interface ClaimedMedia {
  mediaId: string
  kind: FileType
  sha256: Buffer
  durationSeconds: number | null
}

export interface EnvelopeMedia {
  teaserUrl: string | null
  thumbnailTeaser: string | null
}

export interface LetterMedia {
  fileUrl: string
  fileMobileUrl: string | null
  fileName: string
  fileSize: number
  duration: number | null
  thumbnailComplete: string | null
}

/** How far a file is, and the steps its author may ask for again. */
export interface FileProcessing extends Processing {
  failed: FailedJob[]
}

/** What the holder of a ticket may have of a file now. A file that nothing uses is its sender's alone. */
export async function getMediaAccess(
  ctx: AppContext,
  gates: readonly MediaGate[],
  media: MediaRow,
  part: MediaPart,
  holder: string,
): Promise<MediaAccess> {
  if (media.attachedAt === null) {
    const sessionId = /^session:(.+)$/.exec(holder)?.[1]
    const actor = sessionId ? await findActorBySession(ctx, sessionId) : undefined
    const right = grantPreview(actor?.userId, media)
    return { isAllowed: right !== undefined, right }
  }
  for (const gate of gates) {
    const answer = await gate(ctx, { mediaId: media.id, part, holder })
    if (answer !== undefined) return answer
  }
  return { isAllowed: false }
}

/** Whether a `file_url` that a client sends is the file a revelation has already. */
export function isSameMedia(fileUrl: string, mediaId: string): boolean {
  return readPath(fileUrl)?.mediaId === mediaId
}

/**
 * Takes a file the actor sent for one revelation or one sound, once and for all; `usedById` is the id of either.
 * Anything but an own, unused, readable file is the same « Fichier invalide ».
 */
export async function claimMedia(
  tx: AppContext,
  actor: Actor,
  fileUrl: string,
  usedById: string,
): Promise<ClaimedMedia> {
  const media = await lockOwnFile(tx, actor, fileUrl)
  if (!media || !isClaimable(media)) throw fieldError('file_url', 'Fichier invalide')
  if (media.attachedAt === null) await markAttached(tx.db, media.id, tx.now())
  else if (!(await isUsedBy(tx.db, media.id, usedById))) {
    throw fieldError('file_url', 'Fichier invalide')
  }
  const right = grantPreview(actor.userId, media)
  if (!right) throw fieldError('file_url', 'Fichier invalide')
  const { sha256, durationSeconds } = openFacts(openLetterKey(tx, right, media), media)
  const mediaId = media.id
  return { mediaId, kind: media.kind, sha256: Buffer.from(sha256, 'hex'), durationSeconds }
}

async function lockOwnFile(
  tx: AppContext,
  actor: Actor,
  url: string,
): Promise<MediaRow | undefined> {
  const named = readPath(url)
  const media = named && (await lockMedia(tx.db, named.mediaId))
  const isOwn = media?.ownerId === actor.userId && pathOf(media) === named?.path
  return isOwn ? media : undefined
}

/** Forgets a file and its keys now, its bytes right after. No row may refer to it any more. */
export async function releaseMedia(tx: AppContext, mediaId: string): Promise<void> {
  await deleteFilesLater(tx, await deleteObjects(tx.db, mediaId))
  await deleteMedia(tx.db, mediaId)
}

/** Deletes a file of the actor's own that nothing uses; anything else is `not_found`. */
export async function deleteUpload(ctx: AppContext, actor: Actor, path: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const media = await lockOwnFile(tx, actor, path)
    if (!media || media.attachedAt !== null || media.state === 'receiving') throw notFound()
    await releaseMedia(tx, media.id)
  })
}

/** Asks for the teaser of a video, or for none; a window that does not fit is refused as `teaser_end`. */
export async function requestTeaser(
  tx: AppContext,
  mediaId: string,
  window: TeaserWindow | null,
): Promise<void> {
  const media = await lockMedia(tx.db, mediaId)
  if (!media) throw notFound()
  if (!window) return setTeaser(tx, mediaId, null)
  if (media.kind !== 'video')
    throw fieldError('teaser_end', 'Seule une vidéo peut avoir un extrait')
  const { durationSeconds } = openFacts(openKeyForWork(tx, media), media)
  await setTeaser(tx, mediaId, fitWindow('teaser_end', window, durationSeconds))
}

/** What shows with the envelope, for all files of a page at once. */
export async function envelopeMedia(
  ctx: AppContext,
  holder: string,
  mediaIds: readonly string[],
): Promise<Map<string, EnvelopeMedia>> {
  const files = await listMediaFiles(ctx.db, mediaIds)
  return new Map(
    files.map((media) => {
      const url = addressBook(ctx, media, holder)
      return [media.id, { teaserUrl: url('teaser'), thumbnailTeaser: url('thumbnail_teaser') }]
    }),
  )
}

/** The files of letters. The right covers each of them. */
export async function letterMedia(
  ctx: AppContext,
  right: ReadingRight,
  holder: string,
  mediaIds: readonly string[],
): Promise<Map<string, LetterMedia>> {
  const files = await listMediaFiles(ctx.db, mediaIds)
  return new Map(
    files.map((media) => {
      const url = addressBook(ctx, media, holder)
      const facts = openFacts(openLetterKey(ctx, right, media), media)
      return [
        media.id,
        {
          fileUrl: ticketedUrl(ctx, media, 'original', holder),
          fileMobileUrl: url('mobile') ?? url('image') ?? url('audio'),
          fileName: facts.name,
          fileSize: facts.sizeBytes,
          duration: facts.durationSeconds,
          thumbnailComplete: url('thumbnail_complete'),
        },
      ]
    }),
  )
}

function addressBook(ctx: AppContext, media: MediaFile, holder: string) {
  return (variant: AddressedVariant) =>
    media.variants.includes(variant) ? ticketedUrl(ctx, media, variant, holder) : null
}

/** How far the making of each file's variants is: for the author alone. */
export async function processingOf(
  ctx: AppContext,
  mediaIds: readonly string[],
): Promise<Map<string, FileProcessing>> {
  const steps = Map.groupBy(await listSteps(ctx.db, mediaIds), (step) => step.mediaId)
  return new Map(
    mediaIds.map((id) => {
      const own = steps.get(id) ?? []
      return [id, { ...summarize(own), failed: listFailed(own) }]
    }),
  )
}

function listFailed(steps: readonly StepRow[]): FailedJob[] {
  return steps
    .filter(({ state }) => state === 'failed')
    .map(({ id, type, error }) => ({ jobId: id, type, error }))
}

/** What a person's files take of their plan: the originals, as they were sent, and the room of what is on its way. */
export async function storageUsedBy(ctx: AppContext, userId: string): Promise<number> {
  return (await measure(ctx, userId)).usedBytes
}
