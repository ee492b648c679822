import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import {
  colourVideo,
  htmlBytes,
  hugePng,
  pdf,
  playlistNamedMp4,
  type SoundFormat,
  svgBytes,
  TOOLS,
  toneAudio,
  turned,
} from '#testing/media-files.ts'
import { plainFile } from '#testing/media-probe.ts'
import { runFfmpeg } from './ffmpeg.ts'
import { ToolFailed, UnreadableMedia } from './media-errors.ts'
import { closePlainSources, withPlainSource } from './plain-source.ts'
import { probe } from './probe.ts'

afterAll(closePlainSources)

function probeBytes(bytes: Buffer) {
  return withPlainSource(plainFile(bytes), (url) => probe(TOOLS, url))
}

test.for(['mp4', 'mov', 'webm', 'avi'] as const)('reads the facts of a %s', async (format) => {
  const facts = await probeBytes(await colourVideo({ seconds: 2, format }))
  expect(facts).toMatchObject({
    kind: 'video',
    width: 320,
    height: 180,
    hasAudio: true,
    rotation: 0,
  })
  expect(facts.frameRate).toBeCloseTo(25, 1)
  expect(facts.durationSeconds).toBeCloseTo(2, 0)
})

test('a recording lasts as long as it plays, whatever its header declares', async () => {
  const bytes = await toneAudio('webm', 8, ['-live', '0'])
  // The element of the duration: its id, eight bytes long, in milliseconds.
  const at = bytes.indexOf(Buffer.from([0x44, 0x89, 0x88]))
  expect(at).toBeGreaterThan(0)
  bytes.writeDoubleBE(4_000, at + 3)
  expect((await probeBytes(bytes)).durationSeconds).toBeCloseTo(8, 0)
})

test('a silent video has no sound', async () => {
  const facts = await probeBytes(await colourVideo({ seconds: 1, audio: false }))
  expect(facts).toMatchObject({ hasAudio: false, audioCodec: undefined, videoCodec: 'h264' })
})

test.for(['mp3', 'wav', 'ogg', 'm4a', 'aac', 'flac', 'webm'] as SoundFormat[])(
  'a %s is a sound, with its duration even when the file does not say it',
  async (format) => {
    const facts = await probeBytes(await toneAudio(format, 3))
    expect(facts).toMatchObject({ kind: 'audio', hasAudio: true, width: 0, videoCodec: undefined })
    expect(facts.durationSeconds).toBeGreaterThan(2.9)
    expect(facts.durationSeconds).toBeLessThan(3.2)
  },
)

test('a video turned by its recorder has the size people see', async () => {
  const facts = await probeBytes(turned(await colourVideo({ seconds: 1 })))
  expect(facts).toMatchObject({ width: 180, height: 320, rotation: 90 })
})

test('a video with oblong pixels has the size people see', async () => {
  const facts = await probeBytes(await colourVideo({ seconds: 1, extra: ['-aspect', '4:3'] }))
  expect(facts).toMatchObject({ width: 240, height: 180 })
})

test('a cover picture does not make a video of a song', async () => {
  const cover = await colourVideo({ seconds: 1, audio: false })
  const song = await withPlainSource(plainFile(cover), (url) =>
    toneAudio('mp3', 2, ['-f', 'mp3']).then(async (mp3) => {
      const outputArgs = ['-frames:v', '1', '-c:v', 'mjpeg', '-f', 'image2pipe', 'pipe:1']
      const { stdout } = await runFfmpeg(TOOLS, { url, outputArgs })
      return Buffer.concat([id3WithCover(stdout), mp3])
    }),
  )
  expect(await probeBytes(song)).toMatchObject({ kind: 'audio', width: 0 })
})

test('what is broken, empty or something else cannot be read', async () => {
  const video = await colourVideo({ seconds: 2 })
  const files = {
    'a video without its end, where its index is': video.subarray(0, video.length / 2),
    'a video without its start': video.subarray(5_000),
    nothing: Buffer.alloc(0),
    zeros: Buffer.alloc(100_000),
    pdf: pdf(),
    svg: svgBytes(),
    html: htmlBytes(),
    picture: hugePng(),
  }
  for (const [name, bytes] of Object.entries(files)) {
    await expect(probeBytes(bytes), name).rejects.toThrow(UnreadableMedia)
  }
})

test('a video of absurd size is refused before it is decoded', async () => {
  const extra = [
    '-vf',
    'scale=12000:12000',
    '-frames:v',
    '1',
    '-c:v',
    'mjpeg',
    '-pix_fmt',
    'yuvj420p',
  ]
  const bytes = await colourVideo({ seconds: 1, audio: false, format: 'avi', extra })
  await expect(probeBytes(bytes)).rejects.toThrow(UnreadableMedia)
})

test('an error holds nothing of the secret address', async () => {
  const failure = await withPlainSource(plainFile(Buffer.alloc(5_000)), async (url) => {
    const error = await probe(TOOLS, url).catch((reason) => reason)
    const ffmpeg = await runFfmpeg(TOOLS, { url, outputArgs: ['-f', 'null', '-'] }).catch(
      (reason) => reason,
    )
    return { url, texts: [error.message, error.cause.message, ffmpeg.message] }
  })
  const { port, pathname } = new URL(failure.url)
  for (const text of failure.texts) {
    expect(text).not.toContain(pathname.slice(1, 12))
    expect(text).not.toContain(port)
  }
  expect(failure.texts[1]).toContain('source: Invalid data found')
})

test('a playlist under the name of a video never opens what it names', async () => {
  const neighbour = await colourVideo({ seconds: 1 })
  let visits = 0
  const server = http.createServer((_request, response) => {
    visits += 1
    response.end(neighbour)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const entries = [
    `http://127.0.0.1:${(server.address() as AddressInfo).port}/neighbour.mp4`,
    'file:///etc/hostname',
    '/etc/hostname',
    '../neighbour.mp4',
  ]
  for (const form of ['hls', 'ffconcat'] as const) {
    for (const entry of entries) {
      const bytes = playlistNamedMp4(form, entry)
      await expect(probeBytes(bytes), `${form} ${entry}`).rejects.toThrow(UnreadableMedia)
      const work = withPlainSource(plainFile(bytes), (url) =>
        runFfmpeg(TOOLS, { url, outputArgs: ['-f', 'null', '-'] }),
      )
      await expect(work, `${form} ${entry}`).rejects.toThrow(ToolFailed)
    }
  }
  expect(visits).toBe(0)
  server.close()
  server.closeAllConnections()
})

/** An ID3v2.3 tag holding one attached picture. */
function id3WithCover(jpeg: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from('\0image/jpeg\0\x03\0', 'latin1'), jpeg])
  const frame = Buffer.concat([
    Buffer.from('APIC'),
    uint32(content.length),
    Buffer.alloc(2),
    content,
  ])
  const size = Buffer.from([21, 14, 7, 0].map((shift) => (frame.length >> shift) & 0x7f))
  return Buffer.concat([Buffer.from('ID3\x03\0\0', 'latin1'), size, frame])
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
