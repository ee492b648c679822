import type { Readable } from 'node:stream'
import sharp, { type ResizeOptions } from 'sharp'
import { TooManyPixels, UnreadableMedia } from './media-errors.ts'

const IMAGE_MAX_PIXELS = 50_000_000
/** A picture is decoded from memory: larger files are refused. */
export const IMAGE_MAX_BYTES = 100 * 1024 * 1024

const IMAGE_SIDE = 1_600
const AVATAR_SIDE = 512
const DECODE_SECONDS = 60

// The readers of libvips for other or active formats (SVG, PDF, Magick…) stay closed.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadJpeg',
    'VipsForeignLoadPng',
    'VipsForeignLoadNsgif',
    'VipsForeignLoadWebp',
  ],
})
// No decoded bytes of a sealed file outlive their use.
sharp.cache(false)

/** The picture for people: upright, without EXIF or GPS, webp; the first frame of an animation. */
export async function renderImageVariant(source: Readable | Buffer): Promise<Buffer> {
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

/** The picture of a person: the middle of the upload as a square, without metadata. */
export async function renderAvatar(source: Readable): Promise<Buffer> {
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

export interface ImageFacts {
  format: 'jpeg' | 'png' | 'gif' | 'webp'
  /** As stored: EXIF may turn the picture. */
  width: number
  height: number
}

/**
 * Reads the size of a picture in the first bytes of its file, without decoding. The size of a JPEG follows its EXIF,
 * colours and preview: pass 512 KiB. Throws `UnreadableMedia` or `TooManyPixels`.
 */
export function readImageFacts(head: Buffer): ImageFacts {
  let facts: ImageFacts | undefined
  try {
    facts = readPng(head) ?? readGif(head) ?? readWebp(head) ?? readJpeg(head)
  } catch (error) {
    // A read past the end of a Buffer: the header is cut.
    if (!(error instanceof RangeError)) throw error
  }
  if (!facts || facts.width === 0 || facts.height === 0) {
    throw new UnreadableMedia('The file does not say the size of a picture')
  }
  if (facts.width * facts.height > IMAGE_MAX_PIXELS) {
    throw new TooManyPixels(`The picture has ${facts.width}×${facts.height} pixels`)
  }
  return facts
}

function readPng(head: Buffer): ImageFacts | undefined {
  if (!startsWith(head, 0, '\x89PNG\r\n\x1a\n') || !startsWith(head, 12, 'IHDR')) return undefined
  return { format: 'png', width: head.readUInt32BE(16), height: head.readUInt32BE(20) }
}

function readGif(head: Buffer): ImageFacts | undefined {
  if (!startsWith(head, 0, 'GIF87a') && !startsWith(head, 0, 'GIF89a')) return undefined
  return { format: 'gif', width: head.readUInt16LE(6), height: head.readUInt16LE(8) }
}

function readWebp(head: Buffer): ImageFacts | undefined {
  if (!startsWith(head, 0, 'RIFF') || !startsWith(head, 8, 'WEBP')) return undefined
  if (startsWith(head, 12, 'VP8X')) {
    return { format: 'webp', width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 }
  }
  if (startsWith(head, 12, 'VP8L') && head[20] === 0x2f) {
    const bits = head.readUInt32LE(21)
    return { format: 'webp', width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  if (!startsWith(head, 12, 'VP8 ') || !startsWith(head, 23, '\x9d\x01\x2a')) return undefined
  const [width, height] = [head.readUInt16LE(26) & 0x3fff, head.readUInt16LE(28) & 0x3fff]
  return { format: 'webp', width, height }
}

function readJpeg(head: Buffer): ImageFacts | undefined {
  if (!startsWith(head, 0, '\xff\xd8\xff')) return undefined
  let at = 2
  while (head.readUInt8(at) === 0xff) {
    const marker = head.readUInt8(at + 1)
    if (marker === 0xff) at += 1
    else if (isFrameHeader(marker)) {
      return { format: 'jpeg', width: head.readUInt16BE(at + 7), height: head.readUInt16BE(at + 5) }
    } else at += 2 + Math.max(2, head.readUInt16BE(at + 2))
  }
  return undefined
}

/** SOF0 to SOF15, except the tables (C4, CC) and the extension (C8) that share their range. */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
}

function startsWith(head: Buffer, at: number, bytes: string): boolean {
  return head.subarray(at, at + bytes.length).equals(Buffer.from(bytes, 'latin1'))
}
