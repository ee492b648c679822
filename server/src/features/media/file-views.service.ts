import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { FailedJob } from '#contract/jobs.ts'
import type { AppContext } from '#server/context.ts'
import type { ReadingRight } from '#server/platform/sealing/reading-right.ts'
import { SealBroken } from '#server/platform/sealing/sealed-format.ts'
import { ObjectMissing } from '#server/platform/storage/storage.ts'
import {
  type MediaFacts,
  openFacts,
  openKeyForWork,
  openLetterKey,
  plainFileOf,
} from './file-keys.service.ts'
import { type AddressedVariant, copyName, downloadName } from './file-names.rules.ts'
import { formFor, ticketedUrl } from './file-serving.service.ts'
import {
  findMedia,
  findObject,
  listForms,
  listMediaFiles,
  type MediaFile,
  type MediaRow,
} from './media.repository.ts'
import { type Processing, summarize } from './media.rules.ts'
import { listSteps, type StepRow } from './steps.repository.ts'

export interface EnvelopeMedia {
  teaserUrl: string | null
  thumbnailTeaser: string | null
}

/** The parts of files that show with the envelope, for a whole page at once. */
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

export interface LetterMedia {
  kind: MediaRow['kind']
  /** Of the form that this reader may have; null until the copy of a picture is rendered. */
  fileUrl: string | null
  /** Whether it has the bytes that were sealed. */
  isSealed: boolean
  fileMobileUrl: string | null
  fileName: string
  fileSize: number
  duration: number | null
  thumbnailComplete: string | null
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
      const form = formFor(right, media)
      const { name, sizeBytes } = form === 'original' ? facts : copyFacts(media, facts)
      return [
        media.id,
        {
          kind: media.kind,
          fileUrl: form === 'copy' ? url('copy') : ticketedUrl(ctx, media, 'original', holder),
          isSealed: form === 'original',
          fileMobileUrl: url('mobile') ?? url('image') ?? url('audio'),
          fileName: name,
          fileSize: sizeBytes,
          duration: facts.durationSeconds,
          thumbnailComplete: url('thumbnail_complete'),
        },
      ]
    }),
  )
}

/** Its size, once it is rendered: until then that of the original. */
function copyFacts(media: MediaFile, { name, sizeBytes }: MediaFacts) {
  return {
    name: copyName(name, media.extension),
    sizeBytes: media.copyBytes ?? sizeBytes,
  }
}

function addressBook(ctx: AppContext, media: MediaFile, holder: string) {
  return (variant: AddressedVariant) =>
    media.variants.includes(variant) ? ticketedUrl(ctx, media, variant, holder) : null
}

/** The progress of some files together, and the failed steps that their author may retry. */
export interface FileProcessing extends Processing {
  failed: FailedJob[]
}

/** How far the variants of the files of each letter or voice message are, by its id: for the author alone. */
export async function processingOf(
  ctx: AppContext,
  own: readonly { id: string; mediaIds: readonly string[] }[],
): Promise<Map<string, FileProcessing>> {
  const mediaIds = own.flatMap((one) => one.mediaIds)
  const steps = Map.groupBy(await listSteps(ctx.db, mediaIds), (step) => step.mediaId)
  return new Map(
    own
      .filter((one) => one.mediaIds.length > 0)
      .map((one) => {
        const together = one.mediaIds.flatMap((mediaId) => steps.get(mediaId) ?? [])
        return [one.id, { ...summarize(together), failed: listFailed(together) }]
      }),
  )
}

function listFailed(steps: readonly StepRow[]): FailedJob[] {
  return steps
    .filter(({ state }) => state === 'failed')
    .map(({ id, type, error }) => ({ jobId: id, type, error }))
}

/** Facts of the file of a voice message. */
export interface VoiceMessageFacts {
  fileName: string
  /** Bytes, as it was sent. */
  fileSize: number
  mimeType: string
  /** Seconds. */
  duration: number
}

export interface VoiceMessageMedia extends VoiceMessageFacts {
  /** As it was sent. */
  fileUrl: string
  /** AAC; null until it is rendered. */
  fileMobileUrl: string | null
  /** Saves what was sent, from the copy with a length in its header where there is one. */
  downloadUrl: string
  hasWaveform: boolean
}

/** The files of voice messages. The right covers each of them. */
export async function voiceMessageMedia(
  ctx: AppContext,
  right: ReadingRight,
  holder: string,
  mediaIds: readonly string[],
): Promise<Map<string, VoiceMessageMedia>> {
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
 * Name, size, type and length of files. They belong to the letter, and need no right: before the instant only the author
 * may have them, who sent the file and knows them.
 */
export async function voiceMessageFacts(
  ctx: AppContext,
  mediaIds: readonly string[],
): Promise<Map<string, VoiceMessageFacts>> {
  const files = await listMediaFiles(ctx.db, mediaIds)
  return new Map(
    unlessBroken(ctx, files, (media) => presentFacts(openFacts(openKeyForWork(ctx, media), media))),
  )
}

/** Leaves out damaged files: one must not break the page of hundreds of others. */
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

function presentFacts({
  name,
  sizeBytes,
  mimeType,
  durationSeconds,
}: MediaFacts): VoiceMessageFacts {
  return { fileName: name, fileSize: sizeBytes, mimeType, duration: durationSeconds ?? 0 }
}

/** Loudness from 0 to 1, evenly along the length (seconds). */
export interface Waveform {
  peaks: number[]
  duration: number
}

/** Undefined until it is rendered, when it could not be, and when its bytes are missing or damaged. */
export async function findWaveform(
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
    ctx.log.error({ mediaId, err: error }, 'a waveform can no longer be read')
    return undefined
  }
}

/** A file as a reader downloads it: as it was sent and under that name, or the copy of a picture. */
export interface DownloadableFile {
  mediaId: string
  kind: MediaRow['kind']
  name: string
  /** Whether its bytes are those that were sealed. */
  isSealed: boolean
  mimeType: string
  sizeBytes: number
  /**
   * Rejects when its bytes are missing or damaged; damage found later destroys the stream. Undefined until the copy of a
   * picture is rendered.
   */
  read: (() => Promise<Readable>) | undefined
}

/** These files, each in the form that the right is for. It covers each; damaged ones are left out. */
export async function findDownloadableFiles(
  ctx: AppContext,
  right: ReadingRight,
  mediaIds: readonly string[],
): Promise<Map<string, DownloadableFile>> {
  const files = new Map<string, DownloadableFile>()
  for (const { media, objects } of await listForms(ctx.db, mediaIds)) {
    const form = formFor(right, media)
    const object = objects.find(({ variant }) => variant === form)
    if (!object && form === 'original') continue
    try {
      const key = openLetterKey(ctx, right, media)
      const { name } = openFacts(key, media)
      files.set(media.id, {
        mediaId: media.id,
        kind: media.kind,
        name:
          form === 'copy' ? copyName(name, media.extension) : downloadName(name, media.extension),
        isSealed: form === 'original',
        mimeType: object?.mimeType ?? media.mimeType,
        sizeBytes: object?.sizeBytes ?? media.sizeBytes,
        read:
          object &&
          (() => plainFileOf(ctx, key, object).read({ start: 0, end: object.sizeBytes - 1 })),
      })
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error
      ctx.log.error({ mediaId: media.id, err: error }, 'a file can no longer be opened')
    }
  }
  return files
}
