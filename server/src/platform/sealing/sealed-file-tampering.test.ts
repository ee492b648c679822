import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  CHUNK,
  chunkAt,
  HEADER,
  newDataKey,
  SEALED_CHUNK,
  sealBytes,
  sourceOf,
} from '#testing/sealed-bytes.ts'
import type { DataKey } from './keyring.ts'
import { openSealed } from './sealed-file.ts'
import { SealBroken } from './sealed-format.ts'

const key = await newDataKey()

async function open(sealed: Buffer, dataKey: DataKey = key): Promise<Buffer> {
  return buffer(await openSealed(dataKey, sourceOf(sealed)))
}

describe('a file that is not what was sealed is refused:', () => {
  const plain = randomBytes(2 * CHUNK + 500)
  const sealing = sealBytes(key, plain)

  test('one bit changed anywhere, and no wrong byte is given', async () => {
    const sealed = await sealing
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.nat(sealed.length - 1), fc.nat(HEADER + 12)),
        fc.nat(7),
        async (at, bit) => {
          const altered = Buffer.from(sealed)
          altered[at] = (altered[at] ?? 0) ^ (1 << bit)
          const opened: Buffer[] = []
          const reading = (async () => {
            const pieces = await openSealed(key, sourceOf(altered, 20_000))
            for await (const piece of pieces as AsyncIterable<Buffer>) opened.push(piece)
          })()
          await expect(reading).rejects.toThrow(SealBroken)
          const bytes = Buffer.concat(opened)
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

  test('more bytes than a storage was asked for', async () => {
    const sealed = await sealing
    for (const longerRead of [0, HEADER]) {
      const source = {
        size: sealed.length,
        async read({ start, end }: { start: number; end: number }) {
          const more = start === longerRead ? 70_000 : 0
          return Readable.from([
            Buffer.concat([sealed.subarray(start, end + 1), randomBytes(more)]),
          ])
        },
      }
      await expect(openSealed(key, source, { start: 0, end: 9 })).rejects.toThrow(SealBroken)
    }
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
    const [sealed, other] = [await sealing, await sealBytes(key, plain)]
    const mixed = Buffer.concat([
      sealed.subarray(0, HEADER),
      chunkAt(sealed, 0),
      chunkAt(other, 1),
      chunkAt(sealed, 2),
    ])
    await expect(open(mixed)).rejects.toThrow(SealBroken)
  })

  test('the header of another file under the same key', async () => {
    const [sealed, other] = [await sealing, await sealBytes(key, plain)]
    const mixed = Buffer.concat([other.subarray(0, HEADER), sealed.subarray(HEADER)])
    await expect(open(mixed)).rejects.toThrow(SealBroken)
  })

  test('sealed under another key', async () => {
    await expect(open(await sealing, await newDataKey())).rejects.toThrow(SealBroken)
  })

  test('an empty file in the place of an empty sealed file', async () => {
    const empty = await sealBytes(key, Buffer.alloc(0))
    await expect(open(Buffer.alloc(0))).rejects.toThrow(SealBroken)
    await expect(open(empty.subarray(0, HEADER))).rejects.toThrow(SealBroken)
    await expect(open(await sealBytes(key, Buffer.alloc(0)), await newDataKey())).rejects.toThrow(
      SealBroken,
    )
  })

  test('broken far from its beginning: what comes before is given, then the stream is destroyed', async () => {
    const long = randomBytes(40 * CHUNK)
    const altered = await sealBytes(key, long)
    altered[HEADER + 39 * SEALED_CHUNK + 100] = (altered[HEADER + 39 * SEALED_CHUNK + 100] ?? 0) ^ 1

    const opened = await openSealed(key, sourceOf(altered))

    await expect(buffer(opened)).rejects.toThrow(SealBroken)
    expect(opened.destroyed).toBe(true)
  })
})
