import { Readable } from 'node:stream'
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import { photograph } from '#testing/photographs.ts'
import { decodeHeic } from './heic.ts'
import { encodeCopy, readImageFacts, renderAvatar } from './images.ts'
import { TooManyPixels, TooMuchWork, UnreadableMedia } from './media-errors.ts'

let heic: Buffer
beforeAll(async () => {
  heic = await photograph('photo.heic')
})

/** Where the compressed pixels begin: what stands before them is boxes. */
function pixelsOf(bytes: Buffer): number {
  return bytes.indexOf('mdat') + 4
}

/** The same numbers at each run. */
function createNumbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * below)
  }
}

function mutated(bytes: Buffer, seed: number): Buffer {
  const below = createNumbers(seed)
  const copy = Buffer.from(bytes)
  // The EXIF that follows the boxes says nothing of the pixels: what is damaged is before or behind it.
  const place = () => (below(2) === 0 ? below(pixelsOf(bytes)) : copy.length - 1 - below(200))
  for (let left = 1 + below(6); left > 0; left -= 1) {
    const at = place()
    if (below(3) === 0) copy.fill(below(256), at, Math.min(copy.length, at + 1 + below(8)))
    else copy.writeUInt8(copy.readUInt8(at) ^ (1 << below(8)), at)
  }
  return below(5) === 0 ? copy.subarray(0, below(copy.length)) : copy
}

// Each starts a thread: a fifth of a second.
const MUTATIONS = 60

test('bytes of any kind are a picture, or are refused, and end nothing but their thread', async () => {
  let pictures = 0
  for (let seed = 1; seed <= MUTATIONS; seed += 1) {
    const bytes = mutated(heic, seed)
    const outcome = await (async () => {
      readImageFacts(bytes)
      return (await encodeCopy(bytes)).mimeType
    })().catch((error: unknown) => error)
    if (outcome === 'image/jpeg') pictures += 1
    else expect(isRefusal(outcome), `${seed}: ${outcome}`).toBe(true)
  }
  // Neither all of them nor none, or nothing was tried.
  expect(pictures).toBeGreaterThan(MUTATIONS / 20)
  expect(pictures).toBeLessThan(MUTATIONS)
})

function isRefusal(error: unknown): boolean {
  return [UnreadableMedia, TooManyPixels, TooMuchWork].some((kind) => error instanceof kind)
}

test('a picture of more pixels than its head says is refused before they are decoded', async () => {
  await expect(decodeHeic(heic, 96 * 64 - 1)).rejects.toThrow(UnreadableMedia)
  expect((await sharp(await decodeHeic(heic, 96 * 64)).metadata()).width).toBe(96)
})

test('ends with the run that asked for it', async () => {
  const signal = AbortSignal.abort(new Error('The program stops'))
  await expect(decodeHeic(heic, 50_000_000, { signal })).rejects.toThrow('The program stops')
})

test('is a profile picture like any other', async () => {
  const { format, width, height } = await sharp(
    await renderAvatar(Readable.from([heic])),
  ).metadata()
  expect([format, width, height]).toEqual(['webp', 512, 512])
})
