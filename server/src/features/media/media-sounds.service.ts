import { buffer } from 'node:stream/consumers'
import type { AppContext } from '#server/context.ts'
import type { ReadingRight } from '#server/platform/sealing/reading-right.ts'
import { SealBroken } from '#server/platform/sealing/seal-broken.ts'
import { ObjectMissing } from '#server/platform/storage/storage.ts'
import { findMedia, findObject, listMediaFiles, type MediaFile } from './media.repository.ts'
import {
  type MediaFacts,
  openFacts,
  openKeyForWork,
  openLetterKey,
  plainFileOf,
} from './media-keys.service.ts'
import { ticketedUrl } from './media-tickets.service.ts'

/** What is said of a sound's file. */
export interface SoundFacts {
  fileName: string
  /** Bytes, as it was sent. */
  fileSize: number
  mimeType: string
  /** Seconds. */
  duration: number
}

export interface SoundMedia extends SoundFacts {
  /** As it was sent. */
  fileUrl: string
  /** AAC; null until it is made. */
  fileMobileUrl: string | null
  /** Offers for saving what was sent, in its copy that says its length where there is one. */
  downloadUrl: string
  hasWaveform: boolean
}

/** Loudness from 0 to 1, evenly along the length (seconds). */
export interface Waveform {
  peaks: number[]
  duration: number
}

/** The files of sounds. The right covers each of them. */
export async function soundMedia(
  ctx: AppContext,
  right: ReadingRight,
  holder: string,
  mediaIds: readonly string[],
): Promise<Map<string, SoundMedia>> {
  const files = await listMediaFiles(ctx.db, mediaIds)
  return new Map(
    unlessBroken(ctx, files, (media) => {
      const { variants } = media
      const saved = variants.includes('seekable') ? 'seekable' : 'original'
      return {
        ...presentFacts(openFacts(openLetterKey(ctx, right, media), media)),
        fileUrl: ticketedUrl(ctx, media, 'original', holder),
        fileMobileUrl: variants.includes('audio') ? ticketedUrl(ctx, media, 'audio', holder) : null,
        downloadUrl: `${ticketedUrl(ctx, media, saved, holder)}&download=1`,
        hasWaveform: variants.includes('waveform'),
      }
    }),
  )
}

/**
 * Name, size, type and length of files. They are of the letter, and no right is asked: before the instant of a sound
 * only its author, who sent the file and knows them, may be told.
 */
export async function soundFacts(
  ctx: AppContext,
  mediaIds: readonly string[],
): Promise<Map<string, SoundFacts>> {
  const files = await listMediaFiles(ctx.db, mediaIds)
  return new Map(
    unlessBroken(ctx, files, (media) => presentFacts(openFacts(openKeyForWork(ctx, media), media))),
  )
}

/** Without those that are damaged: one must not take with it the page that holds hundreds of others. */
function unlessBroken<T>(
  ctx: AppContext,
  files: readonly MediaFile[],
  open: (media: MediaFile) => T,
): [mediaId: string, opened: T][] {
  return files.flatMap((media) => {
    try {
      return [[media.id, open(media)]]
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error
      ctx.log.error({ mediaId: media.id, err: error }, 'a file can no longer be opened')
      return []
    }
  })
}

/** The shape of a sound; undefined until it is made, when it could not be, and when its bytes are gone or damaged. */
export async function waveformOf(
  ctx: AppContext,
  right: ReadingRight,
  mediaId: string,
): Promise<Waveform | undefined> {
  const media = await findMedia(ctx.db, mediaId)
  const object = media && (await findObject(ctx.db, mediaId, 'waveform'))
  if (!object) return undefined
  try {
    const file = plainFileOf(ctx, openLetterKey(ctx, right, media), object)
    const bytes = await buffer(await file.read({ start: 0, end: file.size - 1 }))
    return JSON.parse(bytes.toString()) as Waveform
  } catch (error) {
    const isLost = [SealBroken, ObjectMissing, RangeError].some((kind) => error instanceof kind)
    if (!isLost) throw error
    ctx.log.error({ mediaId, err: error }, 'the shape of a sound can no longer be read')
    return undefined
  }
}

function presentFacts({ name, sizeBytes, mimeType, durationSeconds }: MediaFacts): SoundFacts {
  return { fileName: name, fileSize: sizeBytes, mimeType, duration: durationSeconds ?? 0 }
}
