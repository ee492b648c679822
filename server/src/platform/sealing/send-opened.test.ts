import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sendOpened } from './stored-file.ts'

const PIECE = 300_000

let server: http.Server
let origin: string
let opened: Readable
let sent: Promise<void>

beforeAll(async () => {
  server = http.createServer((_request, response) => {
    sent = sendOpened(opened, response)
    sent.catch(() => undefined)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(() => {
  server.close()
  server.closeAllConnections()
})

let pieces: Buffer[]
beforeEach(() => {
  pieces = Array.from({ length: 20 }, () => randomBytes(PIECE))
})

test('every byte arrives, and nothing of what was sent stays in memory', async () => {
  const bytes = Buffer.concat(pieces)
  // What is given of a piece may be less than its memory.
  opened = Readable.from(pieces.map((piece) => piece.subarray(1)))

  const answer = await fetch(origin)
  const received = Buffer.from(await answer.arrayBuffer())
  await sent

  const expected = pieces.map((_, index) => bytes.subarray(index * PIECE + 1, (index + 1) * PIECE))
  expect(received.equals(Buffer.concat(expected))).toBe(true)
  expect(pieces.map(({ buffer }) => buffer.byteLength)).toEqual(pieces.map(() => 0))
})

test('small pieces, which share their memory with others, are left alone', async () => {
  const neighbour = Buffer.from('a neighbour')
  const small = Buffer.from('a small piece')
  opened = Readable.from([small])

  expect(await (await fetch(origin)).text()).toBe('a small piece')
  await sent

  expect(neighbour.toString()).toBe('a neighbour')
})

test('a reader who leaves is no failure, and nothing more is read for him', async () => {
  let produced = 0
  opened = new Readable({
    read() {
      produced += 1
      this.push(randomBytes(PIECE))
    },
  })
  const reader = new AbortController()
  await fetch(origin, { signal: reader.signal })

  reader.abort()

  await expect(sent).resolves.toBeUndefined()
  expect(opened.destroyed).toBe(true)
  expect(produced).toBeLessThan(100)
})

test('bytes that fail in the middle cut the answer', async () => {
  opened = Readable.from(
    (async function* () {
      yield* pieces
      throw new Error('the disk has failed')
    })(),
  )
  const answer = await fetch(origin)

  await expect(answer.arrayBuffer()).rejects.toThrow()
  await expect(sent).rejects.toThrow('the disk has failed')
})
