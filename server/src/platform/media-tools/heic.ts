import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { withKeyedMutex } from '#server/platform/keyed-semaphore.ts'
import { decodeInThread } from './decoder-thread.ts'
import type { ToolRun } from './tool-process.ts'

/** 48 million pixels take ten seconds of a processor that does nothing else. */
const LONGEST_MS = 120_000

/** Brands of pictures that HEVC compressed; `mif1` and `msf1` alone may be of anything. */
const BRANDS = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs']

/** Whether the first bytes of a file are those of a HEIC. */
export function isHeic(head: Buffer): boolean {
  if (head.toString('latin1', 4, 8) !== 'ftyp') return false
  const end = Math.min(head.readUInt32BE(0), 256, head.length)
  for (let at = 8; at + 4 <= end; at += 4) {
    if (at !== 12 && BRANDS.includes(head.toString('latin1', at, at + 4))) return true
  }
  return false
}

interface Box {
  type: string
  content: Buffer
}

/** The boxes that follow one another in these bytes, as far as they are there. */
function boxesIn(bytes: Buffer): Box[] {
  const boxes: Box[] = []
  let at = 0
  while (at + 8 <= bytes.length) {
    const size = bytes.readUInt32BE(at)
    // A size of 0 or 1 is that of pixels, which come last.
    if (size < 8) break
    const type = bytes.toString('latin1', at + 4, at + 8)
    boxes.push({ type, content: bytes.subarray(at + 8, at + size) })
    at += size
  }
  return boxes
}

/** The properties of the pictures in a HEIC: one list for all of them, in `meta/iprp/ipco`. */
function propertiesIn(head: Buffer): Box[] {
  const find = (bytes: Buffer, type: string) =>
    boxesIn(bytes).find((box) => box.type === type)?.content ?? Buffer.alloc(0)
  // The first four bytes of `meta` are its version.
  return boxesIn(find(find(find(head, 'meta').subarray(4), 'iprp'), 'ipco'))
}

/** The largest size that a HEIC declares in its head: that of the whole picture, whose tiles are smaller. */
export function readHeicSize(head: Buffer): { width: number; height: number } | undefined {
  let largest: { width: number; height: number } | undefined
  for (const { type, content } of propertiesIn(head)) {
    if (type !== 'ispe') continue
    const [width, height] = [content.readUInt32BE(4), content.readUInt32BE(8)]
    if (!largest || width * height > largest.width * largest.height) largest = { width, height }
  }
  return largest
}

/** The colours of a phone are more than those of sRGB: its profile says which. */
function readProfile(bytes: Buffer): Buffer | undefined {
  for (const { type, content } of propertiesIn(bytes)) {
    const isProfile = type === 'colr' && ['prof', 'rICC'].includes(content.toString('latin1', 0, 4))
    if (isProfile) return content.subarray(4)
  }
  return undefined
}

/**
 * The picture of a HEIC as a PNG that is not compressed, upright, with its colours and nothing else. One at a time: each
 * takes several bytes of memory for each pixel.
 */
export function decodeHeic(bytes: Buffer, maxPixels: number, run?: ToolRun): Promise<Buffer> {
  return withKeyedMutex('heic', async () => {
    const program = new URL('./heic-worker.ts', import.meta.url)
    const thread = { program, workerData: { bytes, maxPixels }, longestMs: LONGEST_MS }
    const { data, width, height } = await decodeInThread(thread, run)
    const png = await sharp(data, { raw: { width, height, channels: 4 } })
      .png({ compressionLevel: 0 })
      .toBuffer()
    const profile = readProfile(bytes)
    return profile ? withProfile(png, profile) : png
  })
}

/** The first chunk of a PNG, which is its header, ends here. */
const HEADER_END = 33

function withProfile(png: Buffer, profile: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from('iCCPicc\0\0', 'latin1'), deflateSync(profile)])
  const chunk = Buffer.alloc(8 + content.length)
  chunk.writeUInt32BE(content.length - 4)
  content.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(content), 4 + content.length)
  return Buffer.concat([png.subarray(0, HEADER_END), chunk, png.subarray(HEADER_END)])
}
