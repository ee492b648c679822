import { randomBytes } from 'node:crypto'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { newDataKey } from '#test/data-key.ts'
import type { DataKey } from './keyring.ts'
import { SealBroken } from './seal-broken.ts'
import { openSealed, plainSizeOf, sealedSizeOf, sealStream } from './sealed-file.ts'

const HEADER = 40
const CHUNK = 65_536
const SEALED_CHUNK = CHUNK + 28
const SIZES = [0, 1, 65_535, 65_536, 65_537, 131_072, 131_073, 300_000]

const key = await newDataKey()

async function seal(plain: Buffer, pieceSize = 50_000, dataKey = key): Promise<Buffer> {
  return buffer(Readable.from(piecesOf(plain, pieceSize)).pipe(sealStream(dataKey)))
}

function* piecesOf(bytes: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield Buffer.from(bytes.subarray(at, at + size))
}

/** Sealed bytes in memory; `reads` tells what was asked of them. */
function sourceOf(sealed: Buffer, pieceSize = 8 * SEALED_CHUNK) {
  const reads: string[] = []
  return {
    size: sealed.length,
    reads,
    async read({ start, end }: { start: number; end: number }) {
      reads.push(`${start}-${end}`)
      return Readable.from(piecesOf(sealed.subarray(start, end + 1), pieceSize))
    },
  }
}

async function open(sealed: Buffer, dataKey: DataKey = key): Promise<Buffer> {
  return buffer(await openSealed(dataKey, sourceOf(sealed)))
}

function chunkAt(sealed: Buffer, index: number): Buffer {
  return sealed.subarray(HEADER + index * SEALED_CHUNK, HEADER + (index + 1) * SEALED_CHUNK)
}

describe('a sealed file', () => {
  test.each(SIZES)('of %i bytes opens as it was', async (size) => {
    const plain = randomBytes(size)
    const sealed = await seal(plain)

    expect(sealed).toHaveLength(sealedSizeOf(size))
    expect(plainSizeOf(sealed.length)).toBe(size)
    expect((await open(sealed)).equals(plain)).toBe(true)
  })

  test('opens as it was whatever the size of the file and of the pieces it comes in', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.nat(400_000), fc.constantFrom(...SIZES)),
        fc.integer({ min: 700, max: 600_000 }),
        fc.integer({ min: 700, max: 600_000 }),
        async (size, writtenBy, readBy) => {
          const plain = randomBytes(size)
          const sealed = await seal(plain, writtenBy)
          const opened = await buffer(await openSealed(key, sourceOf(sealed, readBy)))
          expect(opened.equals(plain)).toBe(true)
        },
      ),
      { numRuns: 60 },
    )
  })

  test('opens as it was when it comes byte by byte', async () => {
    const plain = randomBytes(70_000)
    const sealed = await seal(plain, 1)
    expect((await buffer(await openSealed(key, sourceOf(sealed, 1)))).equals(plain)).toBe(true)
  })

  test('has a layout that never changes', async () => {
    const sealed = await seal(randomBytes(CHUNK + 1))
    expect(sealed.subarray(0, 8).toString('latin1')).toBe('RVLSEAL\x01')
    expect(sealed).toHaveLength(40 + (12 + 65_536 + 16) + (12 + 1 + 16))
  })

  test('shows nothing of what it seals, and never the same bytes twice', async () => {
    const word = 'le-mot-secret-qui-revient-toujours-'
    const plain = Buffer.from(word.repeat(6_000))
    const sealed = await seal(plain)

    expect(sealed.includes('secret')).toBe(false)
    const blocksOf = (bytes: Buffer) =>
      Array.from({ length: bytes.length - 15 }, (_, at) => bytes.toString('latin1', at, at + 16))
    const sealedBlocks = new Set(blocksOf(sealed))
    expect(blocksOf(plain).some((block) => sealedBlocks.has(block))).toBe(false)
    // A block that comes back would tell that the plain text repeats itself.
    expect(sealedBlocks.size).toBe(sealed.length - 15)
    const again = await seal(plain)
    expect(blocksOf(again).some((block) => sealedBlocks.has(block))).toBe(false)
  })

  test.each([-1, 0, 1, 39, 40, 67, 69 + CHUNK - 1 + 1, HEADER + SEALED_CHUNK + 28])(
    'has never %i bytes',
    (size) => {
      expect(() => plainSizeOf(size)).toThrow(SealBroken)
    },
  )
})

describe('a range of a sealed file', () => {
  test('is that range of the plain file', async () => {
    const plain = randomBytes(5 * CHUNK + 777)
    const sealed = await seal(plain)
    const position = fc.oneof(
      fc.nat(plain.length - 1),
      fc.constantFrom(0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, plain.length - 1),
    )
    await fc.assert(
      fc.asyncProperty(
        position,
        position,
        fc.integer({ min: 500, max: 600_000 }),
        async (one, other, pieceSize) => {
          const range = { start: Math.min(one, other), end: Math.max(one, other) }
          const opened = await buffer(await openSealed(key, sourceOf(sealed, pieceSize), range))
          expect(opened.equals(plain.subarray(range.start, range.end + 1))).toBe(true)
        },
      ),
      { numRuns: 150 },
    )
  })

  test('costs one read of its own chunks, beside the header', async () => {
    const source = sourceOf(await seal(randomBytes(10 * CHUNK)))

    await buffer(await openSealed(key, source, { start: 3 * CHUNK, end: 5 * CHUNK + 5 }))

    const [first, end] = [HEADER + 3 * SEALED_CHUNK, HEADER + 6 * SEALED_CHUNK - 1]
    expect(source.reads).toEqual([`0-${HEADER - 1}`, `${first}-${end}`])
  })

  test.each([
    [0, 100],
    [50, 49],
    [-1, 10],
    [100, 100],
    [Number.NaN, 10],
  ])('from %i to %i of 100 bytes is refused before anything is read', async (start, end) => {
    const source = sourceOf(await seal(randomBytes(100)))

    await expect(openSealed(key, source, { start, end })).rejects.toThrow(RangeError)
    expect(source.reads).toEqual([])
  })
})

describe('a file that is not what was sealed is refused:', () => {
  const plain = randomBytes(2 * CHUNK + 500)
  const sealing = seal(plain)

  test('one bit changed anywhere, and no wrong byte is given', async () => {
    const sealed = await sealing
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.nat(sealed.length - 1), fc.nat(HEADER + 12)),
        fc.nat(7),
        async (at, bit) => {
          const altered = Buffer.from(sealed)
          altered[at] = (altered[at] ?? 0) ^ (1 << bit)
          const given: Buffer[] = []
          const reading = (async () => {
            const pieces = await openSealed(key, sourceOf(altered, 20_000))
            for await (const piece of pieces as AsyncIterable<Buffer>) given.push(piece)
          })()
          await expect(reading).rejects.toThrow(SealBroken)
          const bytes = Buffer.concat(given)
          expect(bytes.equals(plain.subarray(0, bytes.length))).toBe(true)
        },
      ),
      { numRuns: 200 },
    )
  })

  test('cut anywhere', async () => {
    const sealed = await sealing
    const edges = [0, 39, 40, 41, 68, HEADER + SEALED_CHUNK, HEADER + 2 * SEALED_CHUNK]
    const near = edges.flatMap((edge) => [edge - 1, edge, edge + 1]).filter((size) => size >= 0)
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.constantFrom(...near), fc.nat(sealed.length - 1)),
        async (size) => {
          await expect(open(sealed.subarray(0, size))).rejects.toThrow(SealBroken)
        },
      ),
      { numRuns: 100 },
    )
  })

  test('shorter than the size that was kept of it, in any range of it', async () => {
    const sealed = await sealing
    const cut = sourceOf(sealed.subarray(0, HEADER + SEALED_CHUNK))
    const source = { ...cut, size: sealed.length }

    const whole = openSealed(key, source).then(buffer)
    await expect(whole).rejects.toThrow(SealBroken)
    await expect(openSealed(key, source, { start: CHUNK, end: CHUNK + 9 })).rejects.toThrow(
      SealBroken,
    )
  })

  test('bytes after its end', async () => {
    const sealed = await sealing
    for (const more of [1, 28, 29, 500, SEALED_CHUNK, SEALED_CHUNK + 29]) {
      await expect(open(Buffer.concat([sealed, randomBytes(more)]))).rejects.toThrow(SealBroken)
    }
    const repeated = Buffer.concat([sealed, chunkAt(sealed, 2)])
    await expect(open(repeated)).rejects.toThrow(SealBroken)
  })

  test('a storage that gives more than it was asked', async () => {
    const sealed = await sealing
    const source = {
      size: sealed.length,
      read: async ({ start, end }: { start: number; end: number }) =>
        Readable.from([Buffer.concat([sealed.subarray(start, end + 1), randomBytes(70_000)])]),
    }
    await expect(openSealed(key, source, { start: 0, end: 9 })).rejects.toThrow(SealBroken)
  })

  test('two chunks exchanged, repeated or left out', async () => {
    const sealed = await sealing
    const [header, zero, one, two] = [
      sealed.subarray(0, HEADER),
      chunkAt(sealed, 0),
      chunkAt(sealed, 1),
      chunkAt(sealed, 2),
    ]
    for (const chunks of [
      [one, zero, two],
      [zero, zero, two],
      [zero, two],
      [one, two],
      [zero, one],
    ]) {
      await expect(open(Buffer.concat([header, ...chunks]))).rejects.toThrow(SealBroken)
    }
  })

  test('a chunk of another file under the same key', async () => {
    const [sealed, other] = [await sealing, await seal(plain)]
    const mixed = Buffer.concat([
      sealed.subarray(0, HEADER),
      chunkAt(sealed, 0),
      chunkAt(other, 1),
      chunkAt(sealed, 2),
    ])
    await expect(open(mixed)).rejects.toThrow(SealBroken)
  })

  test('the header of another file under the same key', async () => {
    const [sealed, other] = [await sealing, await seal(plain)]
    const mixed = Buffer.concat([other.subarray(0, HEADER), sealed.subarray(HEADER)])
    await expect(open(mixed)).rejects.toThrow(SealBroken)
  })

  test('sealed under another key', async () => {
    await expect(open(await sealing, await newDataKey())).rejects.toThrow(SealBroken)
  })

  test('an empty file in the place of an empty sealed file', async () => {
    const empty = await seal(Buffer.alloc(0))
    await expect(open(Buffer.alloc(0))).rejects.toThrow(SealBroken)
    await expect(open(empty.subarray(0, HEADER))).rejects.toThrow(SealBroken)
    await expect(open(await seal(Buffer.alloc(0)), await newDataKey())).rejects.toThrow(SealBroken)
  })

  test('broken far from its beginning: what comes before is given, then the stream is destroyed', async () => {
    const long = randomBytes(40 * CHUNK)
    const altered = await seal(long)
    altered[HEADER + 39 * SEALED_CHUNK + 100] = (altered[HEADER + 39 * SEALED_CHUNK + 100] ?? 0) ^ 1

    const opened = await openSealed(key, sourceOf(altered))

    await expect(buffer(opened)).rejects.toThrow(SealBroken)
    expect(opened.destroyed).toBe(true)
  })
})

describe('the streams', () => {
  test('a reader that leaves closes what is read', async () => {
    const sealed = await seal(randomBytes(40 * CHUNK))
    const memory = sourceOf(sealed, CHUNK)
    const opened: Readable[] = []
    const source = {
      ...memory,
      async read(range: { start: number; end: number }) {
        const stream = await memory.read(range)
        opened.push(stream)
        return stream
      },
    }
    const reader = await openSealed(key, source)
    const body = opened[1] as Readable
    expect(body.destroyed).toBe(false)

    reader.destroy()
    if (!body.closed) await new Promise((resolve) => body.once('close', resolve))

    expect(body.destroyed).toBe(true)
  })

  test('what fails while being read fails the reader', async () => {
    const sealed = await seal(randomBytes(4 * CHUNK))
    const body = new PassThrough()
    const source = {
      size: sealed.length,
      read: async ({ start, end }: { start: number; end: number }) =>
        start === 0 ? Readable.from([sealed.subarray(start, end + 1)]) : body,
    }
    body.write(sealed.subarray(HEADER, HEADER + 2 * SEALED_CHUNK))
    const reader = await openSealed(key, source)

    body.destroy(new Error('the disk has failed'))

    await expect(buffer(reader)).rejects.toThrow('the disk has failed')
  })

  test('what fails before the first chunk is refused at once', async () => {
    const sealed = await seal(randomBytes(4 * CHUNK))
    const source = {
      size: sealed.length,
      read: async ({ start }: { start: number }) =>
        start === 0
          ? Readable.from([sealed.subarray(0, HEADER)])
          : new Readable({
              read() {
                this.destroy(new Error('the disk has failed'))
              },
            }),
    }
    await expect(openSealed(key, source)).rejects.toThrow('the disk has failed')
  })

  test('a sender that leaves destroys what is sealed, so that nothing of it is kept', async () => {
    const sending = new PassThrough()
    const sealed = sealStream(key)
    const sent = pipeline(sending, sealed)
    sending.write(randomBytes(100_000))

    sending.destroy(new Error('the client has left'))

    await expect(sent).rejects.toThrow('the client has left')
    expect(sealed.destroyed).toBe(true)
  })

  test('nobody reading, little is taken in', async () => {
    let given = 0
    const endless = new Readable({
      read() {
        given += CHUNK
        this.push(Buffer.alloc(CHUNK))
      },
    })
    const sealed = endless.pipe(sealStream(key))
    for (let turn = 0; turn < 200; turn += 1) await new Promise(setImmediate)
    sealed.destroy()
    endless.destroy()

    expect(given).toBeLessThan(2_000_000)
  })
})
