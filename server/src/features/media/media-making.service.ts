import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import type { AppContext } from '#server/context.ts'
import { type FfmpegRun, portion } from '#server/platform/media-tools/ffmpeg.ts'
import { encodePicture, makeImageVariant } from '#server/platform/media-tools/images.ts'
import { type PlainFile, withPlainSource } from '#server/platform/media-tools/plain-source.ts'
import { makeMobileVideo, makePoster, makeTeaser } from '#server/platform/media-tools/variants.ts'
import type { DataKey } from '#server/platform/sealing/keyring.ts'
import { findObject, type MediaRow } from './media.repository.ts'
import { estimateVariantBytes, type MediaVariant, posterSecond } from './media.rules.ts'
import { openFacts, openKeyForWork, openTeaserKey, plainFileOf } from './media-keys.service.ts'
import { withScratch } from './media-scratch.service.ts'
import { makeSound } from './media-sound-making.service.ts'
import type { StepRow } from './media-steps.repository.ts'

const THUMBNAIL_SIDE = 640
const WEBP = 'image/webp'

export interface Work {
  media: MediaRow
  step: StepRow
  run: FfmpegRun
  /** `bytes` is what was made, or the path of a scratch file. */
  keep(key: DataKey, variant: MediaVariant, mimeType: string, bytes: Buffer | string): Promise<void>
}

/** Makes the variants of one step from the original, and hands each to `keep`. */
export async function makeStep(ctx: AppContext, { media, step, run, keep }: Work): Promise<void> {
  const key = openKeyForWork(ctx, media)
  const original = await findObject(ctx.db, media.id, 'original')
  if (!original) throw new Error(`File ${media.id} has no original`)
  const source = plainFileOf(ctx, key, original)
  const { durationSeconds } = openFacts(key, media)
  const length = durationSeconds ?? 0

  const room = (seconds: number) => estimateVariantBytes(step.type, seconds)

  switch (step.type) {
    case 'teaser': {
      const window = { startSeconds: step.teaserStart ?? 0, endSeconds: step.teaserEnd ?? 0 }
      const seconds = window.endSeconds - window.startSeconds
      const teaserKey = openTeaserKey(ctx, media)
      return withScratch(ctx, 'teaser.mp4', room(seconds), async (outputFile) => {
        await withPlainSource(source, (url) =>
          makeTeaser(ctx.tools, url, { ...window, outputFile }, portion(run, 0, 0.9)),
        )
        const teaser = await scratchSource(outputFile, 'video/mp4')
        const poster = await withPlainSource(teaser, (url) =>
          makePoster(ctx.tools, url, { atSeconds: posterSecond(seconds) }, portion(run, 0.9, 1)),
        )
        await keep(teaserKey, 'teaser', 'video/mp4', outputFile)
        await keep(teaserKey, 'thumbnail_teaser', WEBP, poster)
      })
    }
    case 'thumbnails': {
      const poster = await withPlainSource(source, (url) =>
        makePoster(ctx.tools, url, { atSeconds: posterSecond(length) }, run),
      )
      return keep(key, 'thumbnail_complete', WEBP, poster)
    }
    case 'mobile':
      return withScratch(ctx, 'mobile.mp4', room(length), async (outputFile) => {
        const patient = { ...run, isBackground: true }
        await withPlainSource(source, (url) =>
          makeMobileVideo(ctx.tools, url, { outputFile }, patient),
        )
        await keep(key, 'mobile', 'video/mp4', outputFile)
      })
    case 'audio':
      return makeSound(ctx, { media, step, run, keep, key, source, durationSeconds: length })
    case 'image': {
      const bytes = await buffer(await source.read({ start: 0, end: source.size - 1 }))
      await keep(key, 'image', WEBP, await makeImageVariant(bytes))
      run.onProgress?.(0.7)
      return keep(key, 'thumbnail_complete', WEBP, await encodePicture(bytes, THUMBNAIL_SIDE))
    }
  }
}

async function scratchSource(file: string, mimeType: string): Promise<PlainFile> {
  const { size } = await stat(file)
  return { size, mimeType, read: async (range) => createReadStream(file, range) }
}
