import { randomBytes, randomUUID } from 'node:crypto'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  CHUNK,
  HEADER,
  newDataKey,
  SEALED_CHUNK,
  sealBytes,
  sourceOf,
} from '#testing/sealed-bytes.ts'
import { createHeader, openSealed, plainSizeOf, sealedSizeOf, sealStream } from './sealed-file.ts'
import { SealBroken } from './sealed-format.ts'
import { openStored } from './stored-file.ts'

const key = await newDataKey()
const SIZES = [0, 1, 65_535, 65_536, 65_537, 131_072, 131_073, 300_000]

describe('a sealed file', () => {
  test.each(SIZES)('of %i bytes opens as it was', async (size) => {
    const plain = randomBytes(size)
    const sealed = await sealBytes(key, plain)

    expect(sealed).toHaveLength(sealedSizeOf(size))
    expect(plainSizeOf(sealed.length)).toBe(size)
    expect((await buffer(await openSealed(key, sourceOf(sealed)))).equals(plain)).toBe(true)
  })

  test('opens as it was whatever the size of the file and of the pieces it comes in', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.nat(400_000), fc.constantFrom(...SIZES)),
        fc.integer({ min: 700, max: 600_000 }),
        fc.integer({ min: 700, max: 600_000 }),
        async (size, writtenBy, readBy) => {
          const plain = randomBytes(size)
          const sealed = await sealBytes(key, plain, writtenBy)
          const opened = await buffer(await openSealed(key, sourceOf(sealed, readBy)))
          expect(opened.equals(plain)).toBe(true)
        },
      ),
      { numRuns: 60 },
    )
  })

  test('opens as it was when it comes byte by byte', async () => {
    const plain = randomBytes(70_000)
    const sealed = await sealBytes(key, plain, 1)
    expect((await buffer(await openSealed(key, sourceOf(sealed, 1)))).equals(plain)).toBe(true)
  })

  test('has a layout that never changes', async () => {
    const sealed = await sealBytes(key, randomBytes(CHUNK + 1))
    expect(sealed.subarray(0, 8).toString('latin1')).toBe('RVLSEAL\x01')
    expect(sealed).toHaveLength(40 + (12 + 65_536 + 16) + (12 + 1 + 16))
  })

  test('shows nothing of what it seals, and never the same bytes twice', async () => {
    const word = 'le-mot-secret-qui-revient-toujours-'
    const plain = Buffer.from(word.repeat(6_000))
    const sealed = await sealBytes(key, plain)

    expect(sealed.includes('secret')).toBe(false)
    const blocksOf = (bytes: Buffer) =>
      Array.from({ length: bytes.length - 15 }, (_, at) => bytes.toString('latin1', at, at + 16))
    const sealedBlocks = new Set(blocksOf(sealed))
    expect(blocksOf(plain).some((block) => sealedBlocks.has(block))).toBe(false)
    // A block that comes back would tell that the plain text repeats itself.
    expect(sealedBlocks.size).toBe(sealed.length - 15)
    const again = await sealBytes(key, plain)
    expect(blocksOf(again).some((block) => sealedBlocks.has(block))).toBe(false)
  })

  test.each([-1, 0, 1, 39, 40, 67, 69 + CHUNK - 1 + 1, HEADER + SEALED_CHUNK + 28])(
    'has never %i bytes',
    (size) => {
      expect(() => plainSizeOf(size)).toThrow(SealBroken)
    },
  )
})

describe('spans of a sealed file', () => {
  /** Seals spans that end anywhere, each beginning with the tail of the one before. */
  async function sealInSpans(plain: Buffer, ends: readonly number[]) {
    const header = createHeader()
    const spans: Buffer[] = []
    let [firstByte, received, tail] = [0, 0, Buffer.alloc(0)]
    for (const end of [...ends, plain.length]) {
      const { stream, tail: rest } = sealStream(key, {
        span: { header, firstByte, plainSize: plain.length },
      })
      const pieces = [tail, plain.subarray(received, end)].filter(({ length }) => length > 0)
      const sealed = await buffer(Readable.from(pieces).pipe(stream))
      tail = Buffer.from(rest())
      if (end - tail.length > firstByte) spans.push(sealed)
      received = end
      firstByte = end - tail.length
    }
    return { spans, tail }
  }

  test('one after another are the sealed file, wherever they end', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.integer({ min: 1, max: 400_000 }), fc.constantFrom(...SIZES.slice(1))),
        fc.array(fc.oneof(fc.nat(400_000), fc.constantFrom(CHUNK, 2 * CHUNK)), { maxLength: 5 }),
        async (size, places) => {
          const plain = randomBytes(size)
          const ends = places.filter((place) => place < size).sort((one, other) => one - other)
          const { spans, tail } = await sealInSpans(plain, ends)
          expect(tail).toHaveLength(0)
          const sealed = Buffer.concat(spans)
          expect(sealed).toHaveLength(sealedSizeOf(size))
          const opened = await buffer(await openSealed(key, sourceOf(sealed)))
          expect(opened.equals(plain)).toBe(true)
        },
      ),
      { numRuns: 60 },
    )
  })

  test('do not open in another order, nor without the last', async () => {
    const plain = randomBytes(4 * CHUNK)
    const { spans } = await sealInSpans(plain, [2 * CHUNK, 3 * CHUNK])
    const [first, second, third] = spans as [Buffer, Buffer, Buffer]
    for (const wrong of [
      [first, third, second],
      [first, second],
    ]) {
      const opening = openSealed(key, sourceOf(Buffer.concat(wrong)))
      await expect(opening.then(buffer)).rejects.toThrow(SealBroken)
    }
  })

  test('begin where a chunk begins', () => {
    const span = { header: createHeader(), firstByte: 40, plainSize: 100 }
    expect(() => sealStream(key, { span })).toThrow(RangeError)
  })
})

describe('a range of a sealed file', () => {
  test('is that range of the plain file', async () => {
    const plain = randomBytes(5 * CHUNK + 777)
    const sealed = await sealBytes(key, plain)
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
    const source = sourceOf(await sealBytes(key, randomBytes(10 * CHUNK)))

    await buffer(await openSealed(key, source, { start: 3 * CHUNK, end: 5 * CHUNK + 5 }))

    const [first, end] = [HEADER + 3 * SEALED_CHUNK, HEADER + 6 * SEALED_CHUNK - 1]
    expect(source.reads).toEqual([`0-${HEADER - 1}`, `${first}-${end}`])
  })

  test('of a stored file costs no second look at its header, which a whole read looks at', async () => {
    const plain = randomBytes(3 * CHUNK)
    const source = sourceOf(await sealBytes(key, plain))
    const storage = { get: (_key: string, range = { start: 0, end: 0 }) => source.read(range) }
    const stored = { storageKey: randomUUID(), sizeBytes: plain.length }
    const readRange = async (start: number, end: number) =>
      buffer(await openStored(storage, key, stored, { start, end }))

    await readRange(0, 9)
    expect((await readRange(CHUNK, CHUNK + 9)).equals(plain.subarray(CHUNK, CHUNK + 10))).toBe(true)
    await buffer(await openStored(storage, key, stored))

    const header = `0-${HEADER - 1}`
    expect(source.reads.map((range) => range === header)).toEqual([true, false, false, true, false])
  })

  test.each([
    [0, 100],
    [50, 49],
    [-1, 10],
    [100, 100],
    [Number.NaN, 10],
  ])('from %i to %i of 100 bytes is refused before anything is read', async (start, end) => {
    const source = sourceOf(await sealBytes(key, randomBytes(100)))

    await expect(openSealed(key, source, { start, end })).rejects.toThrow(RangeError)
    expect(source.reads).toEqual([])
  })
})

describe('pieces that are freed', () => {
  function sealFreeing(pieces: readonly Buffer[]): Promise<Buffer> {
    const { stream } = sealStream(key, { freePieces: true })
    return pipeline(Readable.from(pieces), stream, buffer)
  }

  function halvesOf(bytes: Buffer): [Buffer, Buffer] {
    const middle = bytes.length / 2
    return [bytes.subarray(0, middle), bytes.subarray(middle)]
  }

  test('are sealed whole, also those that share a memory', async () => {
    const [shared, small, whole] = [randomBytes(200_000), randomBytes(40), randomBytes(100_000)]
    const plain = Buffer.concat([shared, small, whole])

    const sealed = await sealFreeing([...halvesOf(shared), small, whole])

    expect((await buffer(await openSealed(key, sourceOf(sealed)))).equals(plain)).toBe(true)
    expect([shared, whole].map(({ length }) => length)).toEqual([0, 100_000])
  })

  test('are refused when one was freed before its turn', async () => {
    const [first, second] = halvesOf(randomBytes(200_000))

    await expect(sealFreeing([first, randomBytes(100_000), second])).rejects.toThrow('freed')
  })
})

describe('the streams', () => {
  test('a reader that leaves closes what is read', async () => {
    const sealed = await sealBytes(key, randomBytes(40 * CHUNK))
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
    const sealed = await sealBytes(key, randomBytes(4 * CHUNK))
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
    const sealed = await sealBytes(key, randomBytes(4 * CHUNK))
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
    const sealed = sealStream(key).stream
    const sent = pipeline(sending, sealed)
    sending.write(randomBytes(100_000))

    sending.destroy(new Error('the client has left'))

    await expect(sent).rejects.toThrow('the client has left')
    expect(sealed.destroyed).toBe(true)
  })

  test('nobody reading, little is taken in', async () => {
    let produced = 0
    const endless = new Readable({
      read() {
        produced += CHUNK
        this.push(Buffer.alloc(CHUNK))
      },
    })
    const sealed = endless.pipe(sealStream(key).stream)
    for (let turn = 0; turn < 200; turn += 1) await new Promise(setImmediate)
    sealed.destroy()
    endless.destroy()

    expect(produced).toBeLessThan(2_000_000)
  })
})
