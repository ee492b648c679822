import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type ColourVideo, colourVideo, TOOLS } from '#testing/media-files.ts'
import { factsOf, framesOf, plainFile } from '#testing/media-probe.ts'
import { UnreadableMedia } from './media-errors.ts'
import { closePlainSources, withPlainSource } from './plain-source.ts'
import { createScratch } from './scratch.ts'
import { encodeTeaser, type TeaserWindow } from './variants.ts'

afterAll(closePlainSources)

async function teaserOf(video: Buffer, window: TeaserWindow): Promise<Buffer> {
  const scratch = await createScratch()
  const outputFile = path.join(scratch.folder, 'teaser.mp4')
  try {
    await withPlainSource(plainFile(video), (url) =>
      encodeTeaser(TOOLS, url, { ...window, outputFile }),
    )
    return await readFile(outputFile)
  } finally {
    await scratch.remove()
  }
}

function times(count: number, value: number): number[] {
  return Array(count).fill(value)
}

test.for<[string, Partial<ColourVideo>]>([
  ['whose frames stand alone', {}],
  ['with one key frame for ten seconds', { keyframes: 'rare' }],
  ['in a mov', { keyframes: 'rare', format: 'mov' }],
  ['in a webm', { keyframes: 'rare', format: 'webm' }],
  ['recorded by a browser, without index', { format: 'webm', extra: ['-live', '1'] }],
  ['in an avi', { keyframes: 'rare', format: 'avi' }],
  ['without sound', { keyframes: 'rare', audio: false }],
])('a teaser of a video %s holds the frames of its window only', async ([, options]) => {
  const video = await colourVideo({ seconds: 12, ...options })
  const frames = await framesOf(await teaserOf(video, { startSeconds: 4, endSeconds: 7 }))
  expect(frames).toEqual([...times(25, 4), ...times(25, 5), ...times(25, 6)])
})

test.for([
  [24, 24],
  [25, 25],
  [30, 30],
  [30_000 / 1_001, 30],
  [50, 25],
  [60, 30],
  [15, 30],
] as const)(
  'at %d images a second, a window off the seconds is exact to a frame',
  async ([fps, played]) => {
    const video = await colourVideo({ seconds: 8, fps, keyframes: 'rare' })
    const frames = await framesOf(await teaserOf(video, { startSeconds: 2.4, endSeconds: 5.7 }))
    expect(Math.abs(frames.length - 3.3 * played)).toBeLessThanOrEqual(1)
    const counts = [2, 3, 4, 5].map((second) => frames.filter((frame) => frame === second).length)
    expect(counts.reduce((sum, count) => sum + count)).toBe(frames.length)
    for (const [at, seconds] of [0.6, 1, 1, 0.7].entries()) {
      // A slow video shows a frame for longer than one image of the teaser.
      const oneFrame = Math.ceil(played / fps) + 1
      expect(Math.abs((counts[at] ?? 0) - seconds * played)).toBeLessThanOrEqual(oneFrame)
    }
  },
)

test('a teaser at the very start, and one to the very end', async () => {
  const video = await colourVideo({ seconds: 4, keyframes: 'rare' })
  const first = await framesOf(await teaserOf(video, { startSeconds: 0, endSeconds: 1 }))
  expect(first).toEqual(times(25, 0))
  const last = await framesOf(await teaserOf(video, { startSeconds: 3, endSeconds: 4 }))
  expect(last).toEqual(times(25, 3))
})

test('where the picture stands still, it is the one shown in the window and never the next', async () => {
  // ffmpeg 7 gives the last picture no duration, and so never shows it: one more stands behind the two.
  const pictures = "select='eq(n,0)+eq(n,75)+eq(n,76)',setpts=PTS*4"
  const extra = ['-vf', pictures, '-fps_mode', 'vfr']
  const still = await colourVideo({ seconds: 5, audio: false, extra })
  expect((await framesOf(still)).slice(0, 2)).toEqual([0, 3])
  const frames = await framesOf(await teaserOf(still, { startSeconds: 5, endSeconds: 8 }))
  expect(new Set(frames)).toEqual(new Set([0]))
  expect(frames.length / 3).toBeGreaterThanOrEqual(24)
})

test('a picture that stood still before the window is shown all along it', async () => {
  const extra = ['-vf', "select='eq(n,0)'", '-fps_mode', 'vfr']
  const still = await colourVideo({ seconds: 6, extra })
  const frames = await framesOf(await teaserOf(still, { startSeconds: 2, endSeconds: 4 }))
  expect(frames.length).toBeGreaterThanOrEqual(48)
  expect(new Set(frames)).toEqual(new Set([0]))
})

test('a video whose picture starts after the window gives no teaser rather than a later picture', async () => {
  const late = await colourVideo({ seconds: 6, extra: ['-vf', 'setpts=PTS+20/TB', '-t', '26'] })
  await expect(teaserOf(late, { startSeconds: 1, endSeconds: 4 })).rejects.toThrow(UnreadableMedia)
})

test('two videos equal in the window and different around it give the same teaser, byte for byte', async () => {
  const window = { startSeconds: 4, endSeconds: 7 }
  const one = await colourVideo({ seconds: 10 })
  const other = await colourVideo({ seconds: 10, palette: [20, 21, 22, 23, 4, 5, 6, 24, 25, 26] })
  const teaser = await teaserOf(one, window)
  expect(one.equals(other)).toBe(false)
  expect((await teaserOf(other, window)).equals(teaser)).toBe(true)
  expect((await teaserOf(one, window)).equals(teaser)).toBe(true)
  expect((await teaserOf(one, { startSeconds: 4, endSeconds: 6 })).equals(teaser)).toBe(false)
})

test('a longer video equal in the window gives the same teaser too', async () => {
  const window = { startSeconds: 1, endSeconds: 3 }
  const [short, long] = [await colourVideo({ seconds: 6 }), await colourVideo({ seconds: 15 })]
  expect((await teaserOf(short, window)).equals(await teaserOf(long, window))).toBe(true)
})

test('nothing that the original says of itself is in the teaser', async () => {
  const extra = [
    ...['-metadata', 'title=Le secret', '-metadata', 'comment=Le secret'],
    ...[
      '-metadata',
      'location=+50.8466+004.3528/',
      '-metadata',
      'creation_time=2026-01-02T03:04:05Z',
    ],
    ...['-metadata:s:v', 'handler_name=Le secret', '-metadata:s:v', 'language=fra'],
    ...['-metadata:s:a', 'handler_name=Le secret', '-metadata:s:a', 'language=fra'],
    ...['-movflags', 'use_metadata_tags'],
  ]
  const video = await colourVideo({ seconds: 4, extra })
  expect(video.includes('Le secret')).toBe(true)
  const teaser = await teaserOf(video, { startSeconds: 1, endSeconds: 3 })
  expect(teaser.includes('Le secret')).toBe(false)
  expect(teaser.includes('50.8466')).toBe(false)
  // Where encoders write of themselves, and where captions are.
  expect(video.includes('x264 - core')).toBe(true)
  expect(teaser.includes('x264 - core')).toBe(false)
  const { format, streams } = await factsOf(teaser)
  expect(Object.keys(format.tags ?? {}).sort()).toEqual([
    'compatible_brands',
    'major_brand',
    'minor_version',
  ])
  for (const { tags = {} } of streams) {
    expect(tags.language).toBe('und')
    expect(tags.creation_time).toBeUndefined()
    expect(['VideoHandler', 'SoundHandler']).toContain(tags.handler_name)
  }
  expect(Number(format.duration)).toBeCloseTo(2, 1)
})

test('a teaser plays everywhere: H.264 and AAC, 720p at most, its index first', async () => {
  const tall = await colourVideo({ seconds: 2, size: '1080x1920', fps: 10 })
  const teaser = await teaserOf(tall, { startSeconds: 0, endSeconds: 1 })
  const { streams } = await factsOf(teaser)
  expect(streams).toHaveLength(2)
  expect(streams[0]).toMatchObject({ codec_name: 'h264', profile: 'Main', pix_fmt: 'yuv420p' })
  expect(streams[0]).toMatchObject({ width: 720, height: 1280 })
  expect(streams[1]).toMatchObject({ codec_name: 'aac' })
  expect(teaser.indexOf('moov')).toBeLessThan(teaser.indexOf('mdat'))
})

test('a window outside the video is refused', async () => {
  const video = await colourVideo({ seconds: 2 })
  for (const [startSeconds, endSeconds] of [
    [3.5, 5],
    [-1, 1],
    [1, 1],
  ] as const) {
    await expect(teaserOf(video, { startSeconds, endSeconds })).rejects.toThrow(RangeError)
  }
})
