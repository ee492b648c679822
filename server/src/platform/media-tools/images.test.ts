import { Readable } from 'node:stream'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { htmlBytes, hugePng, pdf, photoWithGps, picture, svgBytes } from '#testing/media-files.ts'
import { readImageFacts, renderImageVariant } from './images.ts'
import { TooManyPixels, UnreadableMedia } from './media-errors.ts'

test('a variant stands upright and says neither where nor by whom it was taken', async () => {
  const photo = await photoWithGps()
  expect(photo.includes('Camille Secret')).toBe(true)
  const variant = await renderImageVariant(
    Readable.from([photo.subarray(0, 99), photo.subarray(99)]),
  )
  const facts = await sharp(variant).metadata()
  expect(facts).toMatchObject({ format: 'webp', width: 48, height: 64 })
  expect([facts.exif, facts.xmp, facts.iptc, facts.orientation]).toEqual(Array(4).fill(undefined))
  expect(variant.includes('Secret')).toBe(false)
  expect(variant.includes('EXIF')).toBe(false)
})

test('a variant has 1600 pixels at most and is never enlarged', async () => {
  const large = await renderImageVariant(await picture('jpeg', 3_200, 800))
  expect(await sharp(large).metadata()).toMatchObject({ width: 1_600, height: 400 })
  const small = await renderImageVariant(await picture('png'))
  expect(await sharp(small).metadata()).toMatchObject({ width: 40, height: 30 })
})

test('a moving picture keeps its first frame', async () => {
  const frames = Buffer.concat([Buffer.alloc(300, 250), Buffer.alloc(300, 10)])
  const raw = { width: 10, height: 20, channels: 3, pageHeight: 10 } as const
  for (const format of ['gif', 'webp'] as const) {
    const moving = await sharp(frames, { raw })
      .toFormat(format, { delay: [100, 100] })
      .toBuffer()
    expect((await sharp(moving, { animated: true }).metadata()).pages).toBe(2)
    const variant = await renderImageVariant(moving)
    expect(await sharp(variant).metadata()).toMatchObject({ width: 10, height: 10 })
    expect((await sharp(variant).metadata()).pages ?? 1).toBe(1)
    expect((await sharp(variant).raw().toBuffer())[0]).toBeGreaterThan(240)
  }
})

test('a small file of 15000 × 15000 pixels is refused, by its head and by its bytes', async () => {
  const huge = hugePng()
  expect(huge.length).toBeLessThan(30_000)
  expect(() => readImageFacts(huge.subarray(0, 4_100))).toThrow(TooManyPixels)
  await expect(renderImageVariant(huge)).rejects.toThrow(TooManyPixels)
})

test('SVG, HTML, PDF, nothing and a cut picture are no pictures', async () => {
  const photo = await picture('jpeg', 900, 900)
  for (const bytes of [
    svgBytes(),
    htmlBytes(),
    pdf(),
    Buffer.from(''),
    photo.subarray(0, photo.length / 2),
  ]) {
    await expect(renderImageVariant(bytes)).rejects.toThrow(UnreadableMedia)
  }
  await expect(sharp(svgBytes()).png().toBuffer()).rejects.toThrow()
})

test('formats of libvips that we do not list stay closed', async () => {
  const tiff = await sharp(await picture('png'))
    .tiff()
    .toBuffer()
  await expect(renderImageVariant(tiff)).rejects.toThrow(UnreadableMedia)
})

test.for(['jpeg', 'png', 'gif', 'webp'] as const)(
  'the size of a %s is read in its head',
  async (format) => {
    const head = (await picture(format, 301, 107)).subarray(0, 2_000)
    expect(readImageFacts(head)).toEqual({ format, width: 301, height: 107 })
  },
)

test('the size is also read in lossless and extended webp, and in progressive and tagged jpeg', async () => {
  const image = sharp(await picture('png', 301, 107))
  const heads = [
    await image.clone().webp({ lossless: true }).toBuffer(),
    await image
      .clone()
      .ensureAlpha(0.5)
      .withExif({ IFD0: { Artist: 'x' } })
      .webp()
      .toBuffer(),
    await image.clone().jpeg({ progressive: true }).toBuffer(),
    await image
      .clone()
      .withExif({ IFD0: { Artist: 'x' } })
      .withIccProfile('p3')
      .jpeg()
      .toBuffer(),
  ]
  for (const head of heads) expect(readImageFacts(head)).toMatchObject({ width: 301, height: 107 })
})

test('a head that is cut, or none, says no size', () => {
  for (const head of [
    Buffer.alloc(0),
    hugePng().subarray(0, 18),
    Buffer.from('\xff\xd8\xff\xe0', 'latin1'),
  ]) {
    expect(() => readImageFacts(head)).toThrow(UnreadableMedia)
  }
  for (const head of [svgBytes(), htmlBytes(), pdf(), Buffer.alloc(5_000, 0xff)]) {
    expect(() => readImageFacts(head)).toThrow(UnreadableMedia)
  }
})
