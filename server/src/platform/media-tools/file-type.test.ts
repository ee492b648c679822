import { deflateRawSync, gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import {
  colourVideo,
  htmlBytes,
  pdf,
  photoWithGps,
  picture,
  playlistNamedMp4,
  svgBytes,
  TOOLS,
  toneAudio,
} from '#testing/media-files.ts'
import { plainFile } from '#testing/media-probe.ts'
import { photograph } from '#testing/photographs.ts'
import { detectType, settleType } from './file-type.ts'
import { UnreadableMedia } from './media-errors.ts'
import { closePlainSources, withPlainSource } from './plain-source.ts'
import { probe } from './probe.ts'

afterAll(closePlainSources)

async function settledType(bytes: Buffer) {
  const detected = await detectType(bytes.subarray(0, 4_100))
  if (!detected) return undefined
  const facts = await withPlainSource(plainFile(bytes), (url) => probe(TOOLS, url))
  return settleType(detected, facts)
}

test.for([
  ['mp4', 'video/mp4', 'mp4'],
  ['mov', 'video/quicktime', 'mov'],
  ['webm', 'video/webm', 'webm'],
  ['avi', 'video/x-msvideo', 'avi'],
] as const)('a video %s is told by its bytes', async ([format, mimeType, extension]) => {
  const settled = await settledType(await colourVideo({ seconds: 1, format }))
  expect(settled).toEqual({ mimeType, extension, kind: 'video' })
})

test.for([
  ['mp3', 'audio/mpeg', 'mp3'],
  ['wav', 'audio/wav', 'wav'],
  ['ogg', 'audio/ogg', 'ogg'],
  ['m4a', 'audio/mp4', 'm4a'],
  ['webm', 'audio/webm', 'webm'],
  ['aac', 'audio/aac', 'aac'],
  ['flac', 'audio/flac', 'flac'],
] as const)(
  'a sound %s is told by its bytes and what is in it',
  async ([format, mimeType, extension]) => {
    const settled = await settledType(await toneAudio(format))
    expect(settled).toEqual({ mimeType, extension, kind: 'audio' })
  },
)

test('a sound alone in a file of videos is a sound', async () => {
  const settled = await settledType(await toneAudio('m4a', 2, ['-f', 'mp4', '-brand', 'isom']))
  expect(settled).toEqual({ mimeType: 'audio/mp4', extension: 'm4a', kind: 'audio' })
})

test('an mp3 whose tag is longer than the head is still an mp3', async () => {
  const mp3 = await toneAudio('mp3', 2, ['-metadata', `comment=${'x'.repeat(20_000)}`])
  expect(await settledType(mp3)).toMatchObject({ mimeType: 'audio/mpeg' })
})

test.for([
  ['jpeg', 'jpg'],
  ['png', 'png'],
  ['gif', 'gif'],
  ['webp', 'webp'],
] as const)('a picture %s is told by its bytes', async ([format, extension]) => {
  expect(await detectType(await picture(format))).toEqual({
    mimeType: `image/${format}`,
    extension,
    kind: 'image',
  })
})

test.for(['heic', 'mif1', 'msf1', 'hevc', 'heix', 'hevx'])(
  'a picture of a phone is told by its bytes, first of the brand %s',
  async (brand) => {
    const bytes = await photograph('photo.heic')
    bytes.write(brand, 8, 'latin1')
    expect(await detectType(bytes)).toEqual({
      mimeType: 'image/heic',
      extension: 'heic',
      kind: 'image',
    })
  },
)

test('a picture that something else compressed in the same container has no type', async () => {
  const bytes = await photograph('photo.heic')
  for (const main of ['mif1', 'avif']) {
    const avif = Buffer.from(bytes.toString('latin1').replaceAll('heic', 'avif'), 'latin1')
    avif.write(main, 8, 'latin1')
    expect(await detectType(avif)).toBeUndefined()
  }
})

test('a photo and a PDF are told by their bytes', async () => {
  expect(await detectType(await photoWithGps())).toMatchObject({ mimeType: 'image/jpeg' })
  expect(await detectType(pdf())).toEqual({
    mimeType: 'application/pdf',
    extension: 'pdf',
    kind: 'document',
  })
})

test('anything else has no type, whatever its name', async () => {
  const zip = Buffer.concat([
    Buffer.from('PK\x03\x04\x14\0\0\0\b\0', 'latin1'),
    deflateRawSync(Buffer.alloc(99)),
  ])
  const files = {
    nothing: Buffer.alloc(0),
    'one byte': Buffer.of(0xff),
    zeros: Buffer.alloc(5_000),
    svg: svgBytes(),
    html: htmlBytes(),
    hls: playlistNamedMp4('hls', 'a.mp4'),
    ffconcat: playlistNamedMp4('ffconcat', 'a.mp4'),
    script: Buffer.from('#!/bin/sh\necho\n'),
    'a PDF after something else': Buffer.concat([Buffer.from('<html>'), pdf()]),
    'a PDF without its dash': Buffer.from('%PDF1.4 and then nothing'),
    zip,
    gzip: gzipSync('a'),
    mkv: await toneAudio('webm', 1, ['-f', 'matroska']),
    program: Buffer.concat([Buffer.from('\x7fELF\x02\x01\x01', 'latin1'), Buffer.alloc(100)]),
    tiff: Buffer.from('II*\0\b\0\0\0', 'latin1'),
  }
  for (const [name, bytes] of Object.entries(files)) {
    expect(await detectType(bytes), name).toBeUndefined()
  }
})

test('a file whose head promises another container is refused', async () => {
  const video = await colourVideo({ seconds: 1 })
  const facts = await withPlainSource(plainFile(video), (url) => probe(TOOLS, url))
  for (const wrong of [
    await toneAudio('webm'),
    await toneAudio('mp3'),
    await picture('gif'),
    pdf(),
  ]) {
    const detected = await detectType(wrong)
    expect(() => detected && settleType(detected, facts)).toThrow(UnreadableMedia)
  }
})
