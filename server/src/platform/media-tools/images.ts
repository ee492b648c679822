import type { Readable } from 'node:stream'
import sharp, { type ResizeOptions, type Sharp } from 'sharp'
import { decodeHeic, isHeic, readHeicSize } from './heic.ts'
import { TooManyPixels, UnreadableMedia } from './media-errors.ts'
import type { ToolRun } from './tool-process.ts'

const IMAGE_MAX_PIXELS = 50_000_000
/** A picture is decoded from memory: larger files are refused. */
export const IMAGE_MAX_BYTES = 100 * 1024 * 1024

const IMAGE_SIDE = 1_600
const AVATAR_SIDE = 512
const DECODE_SECONDS = 60
/** Of all frames of an animation. */
const COPY_SECONDS = 120
const COPY_QUALITY = 90

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

/** A picture as libvips reads it: as it came, but for a HEIC. */
export async function readablePicture(bytes: Buffer, run?: ToolRun): Promise<Buffer> {
  return isHeic(bytes) ? decodeHeic(bytes, IMAGE_MAX_PIXELS, run) : bytes
}

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
  const bytes = await readablePicture(await readAll(source))
  return encode(bytes, { width: AVATAR_SIDE, height: AVATAR_SIDE, fit: 'cover' })
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
    throw unreadable(error)
  }
}

function unreadable(cause: unknown): Error {
  if (String(cause).includes('pixel limit')) return new TooManyPixels('The picture is too large')
  return new UnreadableMedia('The picture cannot be read', { cause })
}

/** The whole picture with nothing but its pixels, for everybody but its author. */
export interface Copy {
  bytes: Buffer
  mimeType: `image/${CopyFormat}`
}

type CopyFormat = 'jpeg' | 'png' | 'gif' | 'webp'

/**
 * Encodes a picture again, at its size, upright, in sRGB and without metadata: what libvips writes has none unless it is
 * asked for. An animation moves on as long as all of its frames have no more pixels than one picture may have.
 */
export async function encodeCopy(bytes: Buffer, run?: ToolRun): Promise<Copy> {
  const readable = await readablePicture(bytes, run)
  // What a viewer shows of a damaged picture is shown: its readers have nothing else.
  const options = { limitInputPixels: IMAGE_MAX_PIXELS, failOn: 'none' } as const
  try {
    const { format, width, height, pages = 1 } = await sharp(readable, options).metadata()
    const isAnimated = pages > 1 && width * height * pages <= IMAGE_MAX_PIXELS
    const as = readable === bytes ? copyFormat(format) : 'jpeg'
    const picture = sharp(readable, { ...options, animated: isAnimated })
    const upright = isAnimated ? picture : picture.autoOrient()
    const encoded = await encodeAs(upright, as, isLossless(bytes))
      .timeout({ seconds: COPY_SECONDS })
      .toBuffer()
    return { bytes: encoded, mimeType: `image/${as}` }
  } catch (error) {
    throw unreadable(error)
  }
}

function copyFormat(format: string): CopyFormat {
  if (format === 'jpeg' || format === 'png' || format === 'gif' || format === 'webp') return format
  throw new UnreadableMedia(`There is no copy of a picture in ${format}`)
}

function encodeAs(picture: Sharp, format: CopyFormat, lossless: boolean): Sharp {
  switch (format) {
    case 'jpeg':
      return picture.flatten({ background: '#fff' }).jpeg({ quality: COPY_QUALITY })
    case 'png':
      return picture.png()
    case 'gif':
      return picture.gif()
    case 'webp':
      return picture.webp(lossless ? { lossless } : { quality: COPY_QUALITY })
  }
}

/** A webp of a screen, whose letters would blur. */
function isLossless(bytes: Buffer): boolean {
  return bytes.subarray(0, 64).includes('VP8L')
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
  format: CopyFormat | 'heic'
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
    facts = readPng(head) ?? readGif(head) ?? readWebp(head) ?? readJpeg(head) ?? readHeic(head)
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

function readHeic(head: Buffer): ImageFacts | undefined {
  const size = isHeic(head) && readHeicSize(head)
  return size ? { format: 'heic', ...size } : undefined
}

/** SOF0 to SOF15, except the tables (C4, CC) and the extension (C8) that share their range. */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
}

function startsWith(head: Buffer, at: number, bytes: string): boolean {
  return head.subarray(at, at + bytes.length).equals(Buffer.from(bytes, 'latin1'))
}
