import type { Readable } from 'node:stream'
import sharp, { type ResizeOptions } from 'sharp'
import { TooManyPixels, UnreadableMedia } from './media-errors.ts'

export const IMAGE_MAX_PIXELS = 50_000_000
/** A picture is decoded from memory: heavier ones are refused. */
export const IMAGE_MAX_BYTES = 100 * 1024 * 1024

const IMAGE_SIDE = 1_600
const AVATAR_SIDE = 512
const DECODE_SECONDS = 60

// The readers of libvips that parse foreign or active formats (SVG, PDF, Magick…) stay closed: ours are listed.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadJpeg',
    'VipsForeignLoadPng',
    'VipsForeignLoadNsgif',
    'VipsForeignLoadWebp',
  ],
})
// Nothing decoded from a sealed file outlives its use.
sharp.cache(false)

/** The picture people see: upright, without EXIF or GPS, webp; the first frame of a moving one. */
export async function makeImageVariant(source: Readable | Buffer): Promise<Buffer> {
  return encodePicture(Buffer.isBuffer(source) ? source : await readAll(source), IMAGE_SIDE)
}

export function encodePicture(bytes: Buffer, maxSide: number): Promise<Buffer> {
  return encode(bytes, {
    width: maxSide,
    height: maxSide,
    fit: 'inside',
    withoutEnlargement: true,
  })
}

/** The picture of a person: the middle of what was sent, as a square, clean in the same way. */
export async function makeAvatar(source: Readable): Promise<Buffer> {
  return encode(await readAll(source), { width: AVATAR_SIDE, height: AVATAR_SIDE, fit: 'cover' })
}

async function encode(bytes: Buffer, size: ResizeOptions): Promise<Buffer> {
  try {
    return await sharp(bytes, { limitInputPixels: IMAGE_MAX_PIXELS, failOn: 'error' })
      .autoOrient()
      .resize(size)
      .webp({ quality: 78 })
      .timeout({ seconds: DECODE_SECONDS })
      .toBuffer()
  } catch (error) {
    if (String(error).includes('pixel limit')) throw new TooManyPixels('The picture is too large')
    throw new UnreadableMedia('The picture cannot be read', { cause: error })
  }
}

async function readAll(source: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of source as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > IMAGE_MAX_BYTES) throw new UnreadableMedia('The picture is too heavy')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
