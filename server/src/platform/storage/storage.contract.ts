import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ObjectMissing, type Storage } from './storage.ts'

const BAD_KEYS = [
  '',
  '/',
  '/etc/passwd',
  '..',
  '../a',
  'a/..',
  'a/../b',
  'a/../../b',
  './a',
  'a/./b',
  'a//b',
  'a/',
  'a\0b',
  'a\\..\\b',
  'a b',
  'é',
  '.drafts/a',
  'a/.b',
  'a\n',
  `${'a/'.repeat(50)}a`,
  'a'.repeat(300),
]

/** What every storage must do; each one runs it against the real thing. */
export function testStorageContract(name: string, open: () => Promise<Storage>): void {
  describe(`${name}, as a storage`, () => {
    let storage: Storage
    let count = 0

    beforeAll(async () => {
      storage = await open()
    })

    afterAll(async () => {
      for (const key of await keysUnder('')) await storage.delete(key)
    })

    function newKey(): string {
      count += 1
      return `ab/abcdef${count}/original`
    }

    async function keysUnder(prefix: string): Promise<string[]> {
      const keys: string[] = []
      for await (const { key } of storage.list(prefix)) keys.push(key)
      return keys.sort()
    }

    function put(key: string, bytes: Uint8Array) {
      return storage.put(key, Readable.from([Buffer.from(bytes)]))
    }

    it.each([0, 1, 65_536, 3_000_001])(
      'gives back the %i bytes it was given, and tells their size',
      async (size) => {
        const [key, bytes] = [newKey(), randomBytes(size)]

        expect(await put(key, bytes)).toEqual({ sizeBytes: size })

        expect(await storage.size(key)).toBe(size)
        expect((await buffer(await storage.get(key))).equals(bytes)).toBe(true)
      },
    )

    it('gives any range of an object', async () => {
      const [key, bytes] = [newKey(), randomBytes(1_200_000)]
      await put(key, bytes)
      const position = fc.nat({ max: bytes.length - 1 })

      await fc.assert(
        fc.asyncProperty(position, position, async (one, other) => {
          const [start, end] = [Math.min(one, other), Math.max(one, other)]
          const part = await buffer(await storage.get(key, { start, end }))
          expect(part.equals(bytes.subarray(start, end + 1))).toBe(true)
        }),
        { numRuns: 30 },
      )
    })

    it('gives each piece in a memory of its own', async () => {
      const key = newKey()
      await put(key, randomBytes(3_000_000))

      const pieces: Buffer[] = await (await storage.get(key)).toArray()

      expect(pieces.length).toBeGreaterThan(1)
      expect(new Set(pieces.map((piece) => piece.buffer)).size).toBe(pieces.length)
    })

    it('gives what there is of a range that ends after the end', async () => {
      const key = newKey()
      await put(key, Buffer.from('0123456789'))

      expect((await buffer(await storage.get(key, { start: 7, end: 99 }))).toString()).toBe('789')
    })

    it('refuses a range that begins after the end, or ends before it begins', async () => {
      const [key, empty] = [newKey(), newKey()]
      await put(key, Buffer.from('0123456789'))
      await put(empty, Buffer.alloc(0))

      await expect(storage.get(key, { start: 10, end: 12 })).rejects.toThrow(RangeError)
      await expect(storage.get(key, { start: 5, end: 4 })).rejects.toThrow(RangeError)
      await expect(storage.get(key, { start: -1, end: 4 })).rejects.toThrow(RangeError)
      await expect(storage.get(empty, { start: 0, end: 0 })).rejects.toThrow(RangeError)
    })

    it('replaces an object, whole, under whoever is reading it', async () => {
      const key = newKey()
      const before = randomBytes(2_000_000)
      await put(key, before)
      const reader = await storage.get(key)

      await put(key, Buffer.from('after'))

      expect((await buffer(reader)).equals(before)).toBe(true)
      expect((await buffer(await storage.get(key))).toString()).toBe('after')
    })

    it('says that an absent object is missing, and deletes it without complaint', async () => {
      const key = newKey()

      await expect(storage.get(key)).rejects.toThrow(ObjectMissing)
      await expect(storage.get(key, { start: 0, end: 1 })).rejects.toThrow(ObjectMissing)
      expect(await storage.size(key)).toBeUndefined()
      await storage.delete(key)
    })

    it('takes a folder of objects for no object', async () => {
      const key = newKey()
      await put(key, Buffer.from('x'))
      const folder = key.slice(0, key.lastIndexOf('/'))

      await expect(storage.get(folder)).rejects.toThrow(ObjectMissing)
      await expect(storage.get(`${key}/below`)).rejects.toThrow(ObjectMissing)
      expect(await storage.size(folder)).toBeUndefined()
    })

    it('forgets a deleted object and keeps its neighbours', async () => {
      const [key, neighbour] = [newKey(), newKey()]
      await put(key, Buffer.from('x'))
      await put(neighbour, Buffer.from('y'))

      await storage.delete(key)

      await expect(storage.get(key)).rejects.toThrow(ObjectMissing)
      expect(await storage.size(neighbour)).toBe(1)
    })

    it('composes an object of others, large and small, which stay', async () => {
      const MB = 1024 * 1024
      const sizes = [6 * MB, 5 * MB, 10, MB, 7 * MB, 5 * MB - 1, 1, 40]
      const parts = sizes.map((sizeBytes) => ({ storageKey: newKey(), sizeBytes }))
      const contents = sizes.map((size) => randomBytes(size))
      for (const [n, { storageKey }] of parts.entries()) {
        await put(storageKey, contents[n] as Buffer)
      }

      for (const count of [1, 3, sizes.length]) {
        const key = newKey()
        await storage.compose(key, parts.slice(0, count))
        const whole = Buffer.concat(contents.slice(0, count))
        expect((await buffer(await storage.get(key))).equals(whole)).toBe(true)
        expect(await storage.size(key)).toBe(whole.length)
      }

      for (const { storageKey, sizeBytes } of parts) {
        expect(await storage.size(storageKey)).toBe(sizeBytes)
      }
    })

    it('composes nothing where a part is missing, large or small', async () => {
      const [key, there] = [newKey(), newKey()]
      await put(there, randomBytes(100_000))

      for (const sizeBytes of [10, 8_000_000]) {
        const parts = [
          { storageKey: newKey(), sizeBytes },
          { storageKey: there, sizeBytes: 100_000 },
        ]
        for (const some of [parts, [...parts].reverse()]) {
          await expect(storage.compose(key, some)).rejects.toThrow(ObjectMissing)
        }
      }

      expect(await storage.size(key)).toBeUndefined()
    })

    it('keeps nothing of a source that fails, at once or in the middle', async () => {
      const key = newKey()
      async function* broken(pieces: number) {
        for (let piece = 0; piece < pieces; piece += 1) yield randomBytes(100_000)
        throw new Error('the client has left')
      }

      for (const pieces of [0, 1, 30]) {
        const source = Readable.from(broken(pieces))
        await expect(storage.put(key, source)).rejects.toThrow('the client has left')
        expect(await storage.size(key)).toBeUndefined()
      }
      expect(await keysUnder(key)).toEqual([])
    })

    it('keeps nothing of a source that is destroyed without an error', async () => {
      const key = newKey()
      const source = new Readable({ read() {} })
      source.push(randomBytes(200_000))
      const stored = storage.put(key, source)
      source.destroy()

      await expect(stored).rejects.toThrow()
      expect(await storage.size(key)).toBeUndefined()
    })

    it('keeps the former object when its replacement fails', async () => {
      const key = newKey()
      await put(key, Buffer.from('former'))
      const source = new Readable({ read: () => void source.destroy(new Error('cut')) })

      await expect(storage.put(key, source)).rejects.toThrow('cut')

      expect((await buffer(await storage.get(key))).toString()).toBe('former')
    })

    it('keeps one of two objects written under one key at once, never a mixture', async () => {
      const key = newKey()
      const candidates = [1, 2, 3, 4].map((byte) => Buffer.alloc(1_000_000, byte))

      await Promise.all(candidates.map((bytes) => put(key, bytes)))

      const stored = await buffer(await storage.get(key))
      expect(candidates.some((bytes) => bytes.equals(stored))).toBe(true)
    })

    it('writes and deletes side by side in one place', async () => {
      const keys = Array.from({ length: 8 }, (_, n) => `cd/same/${n}`)

      await Promise.all(
        keys.map(async (key) => {
          for (let round = 0; round < 40; round += 1) {
            await put(key, Buffer.from(`round ${round}`))
            await storage.delete(key)
          }
          await put(key, Buffer.from(key))
        }),
      )

      expect(await keysUnder('cd/same/')).toEqual(keys)
    })

    it('lists by prefix, with the instant of the last change', async () => {
      const before = Date.now()
      for (const key of ['lists/aa/1', 'lists/aa/2', 'lists/ab/1', 'listsother']) {
        await put(key, Buffer.from('x'))
      }

      expect(await keysUnder('lists/')).toEqual(['lists/aa/1', 'lists/aa/2', 'lists/ab/1'])
      expect(await keysUnder('lists/aa')).toEqual(['lists/aa/1', 'lists/aa/2'])
      expect(await keysUnder('lists/aa/2')).toEqual(['lists/aa/2'])
      expect(await keysUnder('lists')).toHaveLength(4)
      expect(await keysUnder('nothing/here')).toEqual([])
      expect((await keysUnder('')).length).toBeGreaterThanOrEqual(4)
      for await (const { modifiedAt } of storage.list('lists/')) {
        expect(Math.abs(modifiedAt.getTime() - before)).toBeLessThan(60_000)
      }
    })

    it.each(BAD_KEYS)('refuses %j as a key', async (key) => {
      await expect(put(key, Buffer.from('x'))).rejects.toThrow('Not a storage key')
      await expect(storage.get(key)).rejects.toThrow('Not a storage key')
      await expect(storage.size(key)).rejects.toThrow('Not a storage key')
      await expect(storage.delete(key)).rejects.toThrow('Not a storage key')
    })

    it.each(['..', '../', '/etc', 'a/../'])('refuses %j as a prefix', async (prefix) => {
      await expect(keysUnder(prefix)).rejects.toThrow('Not a storage key')
    })

    it('checks that it can be written and read, and leaves no trace of it', async () => {
      const before = await keysUnder('')

      await storage.check()

      expect(await keysUnder('')).toEqual(before)
    })
  })
}
