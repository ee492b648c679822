import { buffer } from 'node:stream/consumers'
import { SOUND_MAX_BYTES } from '#contract/sounds.ts'
import type { AppContext } from '#server/context.ts'
import { CONTAINER_HEAD_BYTES, isLiveRecording } from '#server/platform/media-tools/containers.ts'
import { portion } from '#server/platform/media-tools/ffmpeg.ts'
import { UnreadableMedia } from '#server/platform/media-tools/media-errors.ts'
import { type PlainFile, withPlainSource } from '#server/platform/media-tools/plain-source.ts'
import { encodeSound, remuxRecording } from '#server/platform/media-tools/sounds.ts'
import { measureWaveform } from '#server/platform/media-tools/waveform.ts'
import type { DataKey } from '#server/platform/sealing/keyring.ts'
import { isDiskFull } from '#server/platform/storage/storage.ts'
import { estimateVariantBytes, isLastTry } from './media.rules.ts'
import type { Work } from './media-making.service.ts'
import { withScratch } from './media-scratch.service.ts'

interface SoundWork extends Work {
  key: DataKey
  source: PlainFile
  durationSeconds: number
}

/**
 * Makes what plays everywhere; the shape and the copy one can seek in are extras. They are tried as often as the rest of
 * the step, and only then does the sound go without.
 */
export async function makeSound(ctx: AppContext, work: SoundWork): Promise<void> {
  const { run } = work
  await makeAac(ctx, { ...work, run: portion(run, 0, 0.8) })
  await makeExtra(ctx, { ...work, run: portion(run, 0.8, 0.95) }, 'waveform', makeWaveform)
  await makeExtra(ctx, { ...work, run: portion(run, 0.95, 1) }, 'seekable', makeSeekable)
}

async function makeExtra(
  ctx: AppContext,
  work: SoundWork,
  variant: 'waveform' | 'seekable',
  make: (ctx: AppContext, work: SoundWork) => Promise<void>,
): Promise<void> {
  try {
    await make(ctx, work)
  } catch (error) {
    if (ctx.stopping.aborted) throw error
    const isForGood = error instanceof UnreadableMedia || isLastTry(work.step)
    // A full disk is the operator's to mend.
    if (isDiskFull(error) || !isForGood) throw error
    ctx.log.warn({ err: error, mediaId: work.media.id, variant }, 'a sound goes without an extra')
  }
}

async function makeAac(ctx: AppContext, { key, source, durationSeconds, run, keep }: SoundWork) {
  const room = estimateVariantBytes('audio', durationSeconds)
  await withScratch(ctx, 'sound.m4a', room, async (outputFile) => {
    await withPlainSource(source, (url) => encodeSound(ctx.tools, url, { outputFile }, run))
    await keep(key, 'audio', 'audio/mp4', outputFile)
  })
}

async function makeWaveform(ctx: AppContext, work: SoundWork) {
  const { key, source, durationSeconds, run, keep } = work
  const peaks = await withPlainSource(source, (url) =>
    measureWaveform(ctx.tools, url, { durationSeconds }, run),
  )
  if (peaks.length === 0) throw new UnreadableMedia('Nothing in the sound can be heard')
  const waveform = JSON.stringify({ peaks, duration: durationSeconds })
  await keep(key, 'waveform', 'application/json', Buffer.from(waveform))
}

/**
 * For what was written as it was recorded; anything else is sought in as it was sent. So is what is too large for a
 * voice, whose copy would fill the memory: nothing but a letter can hold it.
 */
async function makeSeekable(ctx: AppContext, { media, key, source, run, keep }: SoundWork) {
  if (source.size > SOUND_MAX_BYTES) return
  const end = Math.min(source.size, CONTAINER_HEAD_BYTES) - 1
  if (!isLiveRecording(await buffer(await source.read({ start: 0, end })))) return
  const sizeBytes = source.size
  await withScratch(ctx, `seekable.${media.extension}`, sizeBytes * 1.2, async (outputFile) => {
    await withPlainSource(source, (url) =>
      remuxRecording(ctx.tools, url, { outputFile, sizeBytes }, run),
    )
    await keep(key, 'seekable', media.mimeType, outputFile)
  })
}
