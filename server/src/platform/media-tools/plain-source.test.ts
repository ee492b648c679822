import { Readable } from 'node:stream'
import { afterAll, expect, test } from 'vitest'
import { plainFile } from '#testing/media-probe.ts'
import {
  closePlainSources,
  openPlainSource,
  type PlainFile,
  parseRange,
  withPlainSource,
} from './plain-source.ts'

const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, index) => index % 251))

afterAll(closePlainSources)

function fetchRange(url: string, range: string, method = 'GET') {
  return fetch(url, { method, headers: { range } })
}

test('gives the whole file, and any part of it', async () => {
  const source = await openPlainSource(plainFile(bytes))
  const whole = await fetch(source.url)
  expect(whole.status).toBe(200)
  expect(whole.headers.get('accept-ranges')).toBe('bytes')
  expect(Buffer.from(await whole.arrayBuffer())).toEqual(bytes)
  for (const [range, start, end] of [
    ['bytes=0-', 0, 199_999],
    ['bytes=5-9', 5, 9],
    ['bytes=70000-140001', 70_000, 140_001],
    ['bytes=199999-999999', 199_999, 199_999],
    ['bytes=-10', 199_990, 199_999],
    ['bytes=-900000', 0, 199_999],
  ] as const) {
    const part = await fetchRange(source.url, range)
    expect(part.status).toBe(206)
    expect(part.headers.get('content-range')).toBe(`bytes ${start}-${end}/200000`)
    expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(start, end + 1))
  }
  await source.close()
})

test('answers HEAD without a body and refuses other methods', async () => {
  const source = await openPlainSource(plainFile(bytes))
  const head = await fetchRange(source.url, 'bytes=1-2', 'HEAD')
  expect(head.status).toBe(206)
  expect(head.headers.get('content-length')).toBe('2')
  expect(await head.text()).toBe('')
  expect((await fetchRange(source.url, '', 'POST')).status).toBe(405)
  await source.close()
})

test('refuses a range outside the file and ignores one it does not understand', async () => {
  const source = await openPlainSource(plainFile(bytes))
  const outside = await fetchRange(source.url, 'bytes=200000-')
  expect(outside.status).toBe(416)
  expect(outside.headers.get('content-range')).toBe('bytes */200000')
  await source.close()
  for (const header of [
    undefined,
    '',
    'bytes=',
    'bytes=-',
    'bytes=9-5',
    'bytes=0-1,4-5',
    'items=0-1',
  ]) {
    expect(parseRange(header, 10)).toBeUndefined()
  }
  expect(parseRange('bytes=-0', 10)).toBe('unsatisfiable')
  expect(parseRange('bytes=0-', 0)).toBe('unsatisfiable')
})

test('an empty file is an empty answer', async () => {
  const source = await openPlainSource(plainFile(Buffer.alloc(0)))
  expect(await (await fetch(source.url)).text()).toBe('')
  await source.close()
})

test('the address is secret, differs each time and dies when it is closed', async () => {
  const [one, other] = [
    await openPlainSource(plainFile(bytes)),
    await openPlainSource(plainFile(bytes)),
  ]
  expect(one.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{43}$/)
  expect(one.url).not.toBe(other.url)
  await one.close()
  const dead = await fetch(one.url)
  expect([dead.status, await dead.text()]).toEqual([404, ''])
  expect((await fetch(new URL('/', one.url))).status).toBe(404)
  expect((await fetchRange(other.url, 'bytes=0-0')).status).toBe(206)
  await other.close()
})

test('closing cuts the answers under way and stops their reading', async () => {
  let reading: Readable | undefined
  const endless = new Readable({ read() {} })
  endless.push(Buffer.alloc(10))
  const source = await openPlainSource({
    size: 1_000,
    mimeType: 'video/mp4',
    read: async () => (reading = endless),
  })
  const response = await fetch(source.url)
  await source.close()
  await expect(response.arrayBuffer()).rejects.toThrow()
  if (!reading?.closed) await new Promise((resolve) => reading?.once('close', resolve))
  expect(reading?.destroyed).toBe(true)
})

test('a read that fails or stops short makes the work fail, even when the reader was content', async () => {
  const broken: Record<string, PlainFile['read']> = {
    'refused to open': () => Promise.reject(new Error('refused to open')),
    'broke on the way': async () =>
      Readable.from(
        (function* () {
          yield Buffer.alloc(10)
          throw new Error('broke on the way')
        })(),
      ),
    'fewer bytes than requested': async () => Readable.from([Buffer.alloc(10)]),
    'more bytes than requested': async () => Readable.from([Buffer.alloc(2_000)]),
  }
  for (const [message, read] of Object.entries(broken)) {
    const work = withPlainSource({ size: 1_000, mimeType: 'video/mp4', read }, async (url) => {
      await fetch(url)
        .then((response) => response.arrayBuffer())
        .catch(() => undefined)
      return 'content'
    })
    await expect(work, message).rejects.toThrow(message)
  }
})

test('a reader that leaves early, even while it waits for bytes, is not a failure', async () => {
  const waiting = new Readable({ read() {} })
  waiting.push(Buffer.alloc(10))
  const file = { size: 1_000, mimeType: 'video/mp4', read: async () => waiting }
  await withPlainSource(file, async (url) => {
    const controller = new AbortController()
    await fetch(url, { signal: controller.signal })
    controller.abort()
    await new Promise((resolve) => waiting.once('close', resolve))
  })
  expect(waiting.destroyed).toBe(true)
})

test('opens again after everything was closed', async () => {
  await closePlainSources()
  const text = await withPlainSource(plainFile(Buffer.from('encore')), async (url) =>
    (await fetch(url)).text(),
  )
  expect(text).toBe('encore')
})
