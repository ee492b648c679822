import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import sharp from 'sharp'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { colourVideo, TOOLS, toneAudio, turned } from '#testing/media-files.ts'
import { factsOf, framesOf, nearestColour, plainFile } from '#testing/media-probe.ts'
import { UnreadableMedia } from './media-errors.ts'
import { closePlainSources, withPlainSource } from './plain-source.ts'
import { createScratch, type Scratch } from './scratch.ts'
import { encodeMobileVideo, encodePoster } from './variants.ts'

let scratch: Scratch
let outputFile: string

beforeEach(async () => {
  scratch = await createScratch()
  outputFile = path.join(scratch.folder, 'out.mp4')
})
afterEach(() => scratch.remove())
afterAll(closePlainSources)

async function posterColour(video: Buffer, atSeconds: number): Promise<number> {
  const poster = await withPlainSource(plainFile(video), (url) =>
    encodePoster(TOOLS, url, { atSeconds }),
  )
  const pixels = await sharp(poster).resize(1, 1).removeAlpha().raw().toBuffer()
  return nearestColour(pixels)
}

test('a poster is the picture shown at its instant', async () => {
  const video = await colourVideo({ seconds: 8, keyframes: 'rare' })
  const colours = []
  for (const atSeconds of [0, 0.99, 1, 5.5, 7.9, 60])
    colours.push(await posterColour(video, atSeconds))
  expect(colours).toEqual([0, 0, 1, 5, 7, 7])
})

test('a poster is a webp of 960 pixels at most', async () => {
  const video = await colourVideo({ seconds: 1, size: '1920x1080', fps: 5 })
  const poster = await withPlainSource(plainFile(video), (url) =>
    encodePoster(TOOLS, url, { atSeconds: 0 }),
  )
  expect(await sharp(poster).metadata()).toMatchObject({ format: 'webp', width: 960, height: 540 })
})

test('the mobile video is the whole video, small, bare and turned upright', async () => {
  const extra = ['-metadata', 'title=Le secret']
  const video = turned(
    await colourVideo({ seconds: 6, size: '1280x720', keyframes: 'rare', extra }),
  )
  const told: number[] = []
  await withPlainSource(plainFile(video), (url) =>
    encodeMobileVideo(
      TOOLS,
      url,
      { outputFile },
      { onProgress: (fraction) => told.push(fraction) },
    ),
  )
  const mobile = await readFile(outputFile)
  const { format, streams } = await factsOf(mobile)
  expect(streams[0]).toMatchObject({ codec_name: 'h264', width: 480, height: 854 })
  expect(streams[1]).toMatchObject({ codec_name: 'aac' })
  expect(Number(format.duration)).toBeCloseTo(6, 0)
  expect(mobile.includes('Le secret')).toBe(false)
  expect(mobile.indexOf('moov')).toBeLessThan(mobile.indexOf('mdat'))
  expect(new Set(await framesOf(mobile))).toEqual(new Set([0, 1, 2, 3, 4, 5]))
  expect((mobile.length * 8) / 6 / 1000).toBeLessThan(800)
  expect(told.at(-1)).toBe(1)
  expect(told).toEqual(told.toSorted((one, other) => one - other))
  expect(new Set(told).size).toBe(told.length)
})

test('a sound has no poster and no mobile video', async () => {
  const sound = await toneAudio('webm')
  await withPlainSource(plainFile(sound), async (url) => {
    await expect(encodePoster(TOOLS, url, { atSeconds: 0 })).rejects.toThrow(UnreadableMedia)
    await expect(encodeMobileVideo(TOOLS, url, { outputFile })).rejects.toThrow(UnreadableMedia)
  })
})

test('an abort stops ffmpeg on the way', async () => {
  const video = await colourVideo({ seconds: 20, size: '1280x720', keyframes: 'rare' })
  const controller = new AbortController()
  const onProgress = () => controller.abort(new Error('stopping'))
  const run = { signal: controller.signal, onProgress }
  const work = withPlainSource(plainFile(video), (url) =>
    encodeMobileVideo(TOOLS, url, { outputFile }, run),
  )
  await expect(work).rejects.toThrow('stopping')
})

test('a file that breaks while it is read makes no variant, though ffmpeg is content', async () => {
  let contented = false
  const video = await colourVideo({
    seconds: 20,
    keyframes: 'rare',
    extra: ['-movflags', '+faststart'],
  })
  const broken = {
    ...plainFile(video),
    read: async ({ start, end }: { start: number; end: number }) =>
      Readable.from(
        (async function* () {
          const half = Math.floor(video.length / 2)
          yield video.subarray(start, Math.max(start, Math.min(end + 1, half)))
          if (end >= half) throw new Error('a chunk was altered')
        })(),
      ),
  }
  const work = withPlainSource(broken, async (url) => {
    await encodeMobileVideo(TOOLS, url, { outputFile })
    contented = true
  })
  await expect(work).rejects.toThrow('a chunk was altered')
  expect(contented).toBe(true)
})
