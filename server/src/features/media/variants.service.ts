import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { SOUND_MAX_BYTES } from '#contract/sounds.ts'
import type { AppContext } from '#server/context.ts'
import { encodeSound, measureWaveform, remuxRecording } from '#server/platform/media-tools/audio.ts'
import { DOCUMENT_MAX_BYTES, encodeFirstPage } from '#server/platform/media-tools/documents.ts'
import { type FfmpegRun, withPartialProgress } from '#server/platform/media-tools/ffmpeg.ts'
import {
  encodeCopy,
  encodePicture,
  readablePicture,
  renderImageVariant,
} from '#server/platform/media-tools/images.ts'
import { UnreadableMedia } from '#server/platform/media-tools/media-errors.ts'
import { type PlainFile, withPlainSource } from '#server/platform/media-tools/plain-source.ts'
import { CONTAINER_HEAD_BYTES, isLiveRecording } from '#server/platform/media-tools/probe.ts'
import { createScratch } from '#server/platform/media-tools/scratch.ts'
import {
  encodeMobileVideo,
  encodePoster,
  encodeTeaser,
} from '#server/platform/media-tools/variants.ts'
import type { DataKey } from '#server/platform/sealing/keyring.ts'
import { putSealed } from '#server/platform/sealing/stored-file.ts'
import { isDiskFull, newStorageKey } from '#server/platform/storage/storage.ts'
import { openFacts, openKeyForWork, openTeaserKey, plainFileOf } from './file-keys.service.ts'
import { findObject, type MediaRow } from './media.repository.ts'
import {
  estimateVariantBytes,
  isLastAttempt,
  MEDIA_PREFIX,
  type MediaVariant,
  posterSecond,
} from './media.rules.ts'
import type { StepRow } from './steps.repository.ts'
import { isPermanent } from './steps.service.ts'

const THUMBNAIL_SIDE = 640
/** Its words can be read on a phone. */
const PAGE_SIDE = 1_400
const MP4 = 'video/mp4'
const WEBP = 'image/webp'

/** A sealed object that no row names yet. */
export interface RenderedObject {
  variant: MediaVariant
  storageKey: string
  mimeType: string
  sizeBytes: number
}

interface Rendering {
  media: MediaRow
  step: StepRow
  run: FfmpegRun
  /** Of the letter. */
  key: DataKey
  original: PlainFile
  /** 0 for a picture. */
  durationSeconds: number
  /** Seals a variant; `content` is its bytes, or the path of a scratch file. */
  store(
    key: DataKey,
    variant: MediaVariant,
    mimeType: string,
    content: Buffer | string,
  ): Promise<void>
}

/** Renders the variants of one step from the original and seals them. A failure leaves nothing in the storage. */
export async function renderVariants(
  ctx: AppContext,
  media: MediaRow,
  step: StepRow,
  run: FfmpegRun,
): Promise<RenderedObject[]> {
  const rendered: RenderedObject[] = []
  const store: Rendering['store'] = async (key, variant, mimeType, content) => {
    const storageKey = newStorageKey(MEDIA_PREFIX)
    const isPath = typeof content === 'string'
    const sizeBytes = isPath ? (await stat(content)).size : content.length
    await putSealed(ctx.storage, key, storageKey, isPath ? createReadStream(content) : [content])
    rendered.push({ variant, storageKey, mimeType, sizeBytes })
  }
  try {
    const key = openKeyForWork(ctx, media)
    const object = await findObject(ctx.db, media.id, 'original')
    if (!object) throw new Error(`File ${media.id} has no original`)
    const original = plainFileOf(ctx, key, object)
    const durationSeconds = openFacts(key, media).durationSeconds ?? 0
    await renderStep(ctx, { media, step, run, key, original, durationSeconds, store })
    return rendered
  } catch (error) {
    await discardObjects(ctx, rendered)
    throw error
  }
}

/** Deletes objects that no row will name; the sweep deletes what cannot be deleted now. */
export async function discardObjects(
  ctx: AppContext,
  rendered: readonly RenderedObject[],
): Promise<void> {
  for (const { storageKey } of rendered) {
    await ctx.storage
      .delete(storageKey)
      .catch((error) => ctx.log.warn({ err: error }, 'a variant is left to be swept'))
  }
}

function renderStep(ctx: AppContext, rendering: Rendering): Promise<void> {
  switch (rendering.step.type) {
    case 'teaser':
      return renderTeaser(ctx, rendering)
    case 'thumbnails':
      return renderThumbnail(ctx, rendering)
    case 'mobile':
      return renderMobileVideo(ctx, rendering)
    case 'audio':
      return renderAudio(ctx, rendering)
    case 'image':
      return renderImage(rendering)
    case 'copy':
      return renderCopy(rendering)
    case 'document':
      return renderDocument(ctx, rendering)
  }
}

async function renderTeaser(ctx: AppContext, { media, step, run, original, store }: Rendering) {
  const window = { startSeconds: step.teaserStart ?? 0, endSeconds: step.teaserEnd ?? 0 }
  const seconds = window.endSeconds - window.startSeconds
  const key = openTeaserKey(ctx, media)
  await withScratch(ctx, 'teaser.mp4', estimateVariantBytes('teaser', seconds), async (file) => {
    await withPlainSource(original, (url) =>
      encodeTeaser(
        ctx.tools,
        url,
        { ...window, outputFile: file },
        withPartialProgress(run, 0, 0.9),
      ),
    )
    const { size } = await stat(file)
    const teaser: PlainFile = {
      size,
      mimeType: MP4,
      read: async (range) => createReadStream(file, range),
    }
    const poster = await withPlainSource(teaser, (url) =>
      encodePoster(
        ctx.tools,
        url,
        { atSeconds: posterSecond(seconds) },
        withPartialProgress(run, 0.9, 1),
      ),
    )
    await store(key, 'teaser', MP4, file)
    await store(key, 'thumbnail_teaser', WEBP, poster)
  })
}

async function renderThumbnail(ctx: AppContext, rendering: Rendering) {
  const { run, key, original, durationSeconds, store } = rendering
  const poster = await withPlainSource(original, (url) =>
    encodePoster(ctx.tools, url, { atSeconds: posterSecond(durationSeconds) }, run),
  )
  await store(key, 'thumbnail_complete', WEBP, poster)
}

async function renderMobileVideo(ctx: AppContext, rendering: Rendering) {
  const { run, key, original, durationSeconds, store } = rendering
  const neededBytes = estimateVariantBytes('mobile', durationSeconds)
  await withScratch(ctx, 'mobile.mp4', neededBytes, async (outputFile) => {
    const background = { ...run, isBackground: true }
    await withPlainSource(original, (url) =>
      encodeMobileVideo(ctx.tools, url, { outputFile }, background),
    )
    await store(key, 'mobile', MP4, outputFile)
  })
}

async function renderImage({ run, key, original, store }: Rendering) {
  const readable = await readablePicture(await readWhole(original), run)
  await store(key, 'image', WEBP, await renderImageVariant(readable))
  run.onProgress?.(0.7)
  await store(key, 'thumbnail_complete', WEBP, await encodePicture(readable, THUMBNAIL_SIDE))
}

async function renderCopy({ run, key, original, store }: Rendering) {
  const { bytes, mimeType } = await encodeCopy(await readWhole(original), run)
  await store(key, 'copy', mimeType, bytes)
}

async function readWhole(original: PlainFile): Promise<Buffer> {
  return buffer(await original.read({ start: 0, end: original.size - 1 }))
}

/** The first page, as a picture. A document that asks for a password, or that PDFium cannot read, goes without one. */
async function renderDocument(ctx: AppContext, { media, run, key, original, store }: Rendering) {
  if (original.size > DOCUMENT_MAX_BYTES) return
  const bytes = await readWhole(original)
  try {
    await store(key, 'thumbnail_complete', WEBP, await encodeFirstPage(bytes, PAGE_SIDE, run))
  } catch (error) {
    if (!isPermanent(error)) throw error
    ctx.log.info({ err: error, mediaId: media.id }, 'a document goes without a picture')
  }
}

/**
 * Renders the AAC that plays everywhere, then two extras: the waveform and the copy one can seek in. Extras are tried as
 * often as the whole step; only then does the recording go without them.
 */
async function renderAudio(ctx: AppContext, rendering: Rendering) {
  const { run } = rendering
  await renderAac(ctx, { ...rendering, run: withPartialProgress(run, 0, 0.8) })
  await renderExtra(
    ctx,
    { ...rendering, run: withPartialProgress(run, 0.8, 0.95) },
    'waveform',
    renderWaveform,
  )
  await renderExtra(
    ctx,
    { ...rendering, run: withPartialProgress(run, 0.95, 1) },
    'seekable',
    renderSeekable,
  )
}

async function renderExtra(
  ctx: AppContext,
  rendering: Rendering,
  variant: 'waveform' | 'seekable',
  render: (ctx: AppContext, rendering: Rendering) => Promise<void>,
) {
  try {
    await render(ctx, rendering)
  } catch (error) {
    if (ctx.stopping.aborted) throw error
    const isPermanent = error instanceof UnreadableMedia || isLastAttempt(rendering.step)
    // The operator mends a full disk.
    if (isDiskFull(error) || !isPermanent) throw error
    const { id: mediaId } = rendering.media
    ctx.log.warn({ err: error, mediaId, variant }, 'a recording goes without an extra')
  }
}

async function renderAac(ctx: AppContext, rendering: Rendering) {
  const { run, key, original, durationSeconds, store } = rendering
  const neededBytes = estimateVariantBytes('audio', durationSeconds)
  await withScratch(ctx, 'sound.m4a', neededBytes, async (outputFile) => {
    await withPlainSource(original, (url) => encodeSound(ctx.tools, url, { outputFile }, run))
    await store(key, 'audio', 'audio/mp4', outputFile)
  })
}

async function renderWaveform(ctx: AppContext, rendering: Rendering) {
  const { run, key, original, durationSeconds, store } = rendering
  const peaks = await withPlainSource(original, (url) =>
    measureWaveform(ctx.tools, url, { durationSeconds }, run),
  )
  if (peaks.length === 0) throw new UnreadableMedia('Nothing in the sound can be heard')
  const waveform = JSON.stringify({ peaks, duration: durationSeconds })
  await store(key, 'waveform', 'application/json', Buffer.from(waveform))
}

/**
 * Remuxes what a browser wrote as it recorded; other files can be sought in as they are. A file too large for a voice
 * message gets no copy, which would fill the memory: only a letter can contain it.
 */
async function renderSeekable(ctx: AppContext, { media, run, key, original, store }: Rendering) {
  const { size: sizeBytes } = original
  if (sizeBytes > SOUND_MAX_BYTES) return
  const end = Math.min(sizeBytes, CONTAINER_HEAD_BYTES) - 1
  if (!isLiveRecording(await buffer(await original.read({ start: 0, end })))) return
  await withScratch(ctx, `seekable.${media.extension}`, sizeBytes * 1.2, async (outputFile) => {
    await withPlainSource(original, (url) =>
      remuxRecording(ctx.tools, url, { outputFile, sizeBytes }, run),
    )
    await store(key, 'seekable', media.mimeType, outputFile)
  })
}

/** Runs `work` with the path of an empty file in memory that is deleted afterwards. */
async function withScratch(
  ctx: AppContext,
  name: string,
  neededBytes: number,
  work: (file: string) => Promise<void>,
): Promise<void> {
  const scratch = await createScratch(neededBytes)
  try {
    if (!scratch.inMemory) {
      // A warning for the operator: plain bytes touch the disk for a moment.
      ctx.log.warn('no memory file system has room for a variant')
      await ctx.disk.require(neededBytes)
    }
    await work(await scratch.file(name, ctx.tools.confinement?.account))
  } finally {
    await scratch.remove()
  }
}
