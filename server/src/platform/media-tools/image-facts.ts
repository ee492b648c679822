import { IMAGE_MAX_PIXELS } from './images.ts'
import { TooManyPixels, UnreadableMedia } from './media-errors.ts'

export interface ImageFacts {
  format: 'jpeg' | 'png' | 'gif' | 'webp'
  /** As stored: a photo that EXIF turns is still lying here. */
  width: number
  height: number
}

/**
 * Reads the size of a picture in the first bytes of its file, before anything is decoded. A JPEG says its size
 * after its EXIF, colours and preview: give 512 KiB. Throws `UnreadableMedia` or `TooManyPixels`.
 */
export function readImageFacts(head: Buffer): ImageFacts {
  let facts: ImageFacts | undefined
  try {
    facts = readPng(head) ?? readGif(head) ?? readWebp(head) ?? readJpeg(head)
  } catch (error) {
    // Reading past the end of a Buffer: the header is cut.
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
