import { readdir, readlink } from 'node:fs/promises'
import http from 'node:http'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { A_DAY_MS, createRevelation, relate } from '#testing/factories.ts'
import { colourVideo, pdf, toneAudio } from '#testing/media-files.ts'
import { storageProcess } from '#testing/s3-server.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'
import { uploadFile } from '#testing/uploads.ts'
import { createTicket } from './file-serving.service.ts'

let server: TestApp
let author: Person
let sound: { bytes: Buffer; url: string; id: string }

beforeAll(async () => {
  server = await startTestServer()
  author = await signedIn(server)
  const bytes = await toneAudio('wav', 3)
  const { url, filename } = await uploadFile(server, author, {
    bytes,
    folder: 'audio',
    name: 'L’été à deux.wav',
  })
  sound = { bytes, url, id: filename.slice(0, 36) }
})
afterAll(() => server.close())

function get(url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') {
  return server.app.inject({ method, url, headers })
}

it('sends the very bytes of any range, and their place', async () => {
  const size = sound.bytes.length
  const position = fc.oneof(
    fc.integer({ min: 0, max: size + 10 }),
    fc.constantFrom(0, 1, 65_535, 65_536, 65_537, 131_072, size - 1, size, size + 1),
  )
  await fc.assert(
    fc.asyncProperty(position, position, async (one, other) => {
      const [start, end] = one < other ? [one, other] : [other, one]
      for (const [range, from, to] of [
        [`bytes=${start}-${end}`, start, Math.min(end, size - 1)],
        [`bytes=${start}-`, start, size - 1],
        [`bytes=-${start}`, Math.max(0, size - start), size - 1],
      ] as const) {
        const answer = await get(sound.url, { range })
        if (from > to) {
          expect(answer.statusCode).toBe(416)
          expect(answer.headers['content-range']).toBe(`bytes */${size}`)
          continue
        }
        expect(answer.statusCode).toBe(206)
        expect(answer.headers['content-range']).toBe(`bytes ${from}-${to}/${size}`)
        expect(answer.headers['content-length']).toBe(String(to - from + 1))
        expect(answer.rawPayload.equals(sound.bytes.subarray(from, to + 1))).toBe(true)
      }
    }),
    { numRuns: 60 },
  )
})

it.each(['items=0-5', 'bytes=5-2', 'bytes=0-1,4-5', 'bytes=-', 'bytes=a-b', ''])(
  'ignores the range %j and sends the whole file',
  async (range) => {
    const answer = await get(sound.url, { range })
    expect(answer.statusCode).toBe(200)
    expect(answer.rawPayload.length).toBe(sound.bytes.length)
  },
)

it('resumes a download only while the file is the same', async () => {
  const { headers } = await get(sound.url, { range: 'bytes=0-9' })
  const etag = String(headers.etag)
  const same = await get(sound.url, { range: 'bytes=10-19', 'if-range': etag })
  expect(same.statusCode).toBe(206)
  const other = await get(sound.url, { range: 'bytes=10-19', 'if-range': '"autre"' })
  expect(other.statusCode).toBe(200)
  const unchanged = await get(sound.url, { 'if-none-match': etag })
  expect([unchanged.statusCode, unchanged.body]).toEqual([304, ''])
})

it('answers HEAD with the headers of GET and no byte', async () => {
  const whole = await get(sound.url, {}, 'HEAD')
  expect(whole.statusCode).toBe(200)
  expect(whole.headers['content-length']).toBe(String(sound.bytes.length))
  expect(whole.rawPayload.length).toBe(0)
  const part = await get(sound.url, { range: 'bytes=5-' }, 'HEAD')
  expect(part.statusCode).toBe(206)
  expect(part.headers['content-length']).toBe(String(sound.bytes.length - 5))
})

it('sends a file that runs nothing, is not cached, and is saved under its true name', async () => {
  const { headers } = await get(sound.url)
  expect(headers).toMatchObject({
    'content-type': 'audio/wav',
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'cache-control': 'private, no-store',
    'accept-ranges': 'bytes',
  })
  expect(headers).not.toHaveProperty('content-disposition')
  const saved = await get(`${sound.url}&download=1`)
  expect(saved.headers['content-disposition']).toBe(
    `attachment; filename="L__t_ _ deux.wav"; filename*=UTF-8''L%E2%80%99%C3%A9t%C3%A9%20%C3%A0%20deux.wav`,
  )
})

it('always sends a PDF as a download', async () => {
  const { url } = await uploadFile(server, author, { bytes: pdf(), name: 'bilan.pdf' })
  const { headers } = await get(url)
  expect(headers['content-disposition']).toMatch(/^attachment; filename="bilan.pdf"/)
})

function ticketOf(url: string): string {
  return url.slice(url.indexOf('?token=') + '?token='.length)
}

it('rejects every other or expired ticket, and answers alike whether the file exists', async () => {
  const [path = ''] = sound.url.split('?')
  const other = await uploadFile(server, author, { bytes: pdf() })
  const ticket = ticketOf(sound.url)
  const holder = 'visitor'
  const unknownId = '0a1b2c3d-0000-4000-8000-0123456789ab'
  for (const url of [
    path,
    `${path}?token=`,
    `${path}?token=${ticket.slice(0, -2)}AA`,
    `${path}?token=${ticket}x`,
    `${path}?token=${ticket}&token=${ticket}`,
    `${path}?token=${ticketOf(other.url)}`,
    `${path}?token=${author.token}`,
    `${path}?token=${createTicket(server.ctx, sound.id, 'audio', holder)}`,
    `/api/audio/${sound.id}.m4a?token=${ticket}`,
    `/api/secure-file/teasers/teaser_${sound.id}.mp4?token=${ticket}`,
    `/api/secure-file/audio/${unknownId}.wav?token=${ticket}`,
    '/api/secure-file/audio/..%2f..%2fkeys%2fmaster.key',
    '/api/secure-file/..%2fkeys/master.key',
    `/api/thumbnail/${unknownId}.webp`,
  ]) {
    const answer = await get(url)
    expect([url, answer.statusCode]).toEqual([url, url.includes('&token') ? 400 : 403])
    if (answer.statusCode === 403) {
      expect(answer.json()).toEqual({
        error: 'Ce lien vers le fichier a expiré. Rechargez la page.',
        code: 'ticket_expired',
      })
    }
  }
})

it('accepts a ticket for 5 to 10 minutes, under the same address meanwhile', async () => {
  const start = server.clock.now
  const { url } = await uploadFile(server, author, { bytes: pdf() })
  server.clock.advance(4 * 60_000 + 59_000)
  expect((await get(url)).statusCode).toBe(200)
  server.clock.advance(5 * 60_000 + 2_000)
  expect((await get(url)).statusCode).toBe(403)
  server.clock.now = start
  const stamps = new Set<string>()
  for (let second = 0; second < 300; second += 10) {
    server.clock.advance(10_000)
    stamps.add(createTicket(server.ctx, sound.id, 'original', 'visitor'))
  }
  expect(stamps.size).toBeLessThanOrEqual(2)
  server.clock.now = start
})

it('sends an unused file to its sender’s open session alone', async () => {
  const sender = await signedIn(server)
  const stranger = await signedIn(server)
  const { url, filename } = await uploadFile(server, sender, { bytes: pdf() })
  const id = filename.slice(0, 36)
  const { rows } = await server.ctx.pool.query('select id from sessions where user_id = $1', [
    stranger.id,
  ])
  for (const holder of ['visitor', `session:${rows[0].id}`, `session:${id}`, `key:${id}`]) {
    const ticket = createTicket(server.ctx, id, 'original', holder)
    const answer = await get(`/api/secure-file/documents/${filename}?token=${ticket}`)
    expect([holder, answer.statusCode]).toEqual([holder, 404])
  }
  expect((await get(url)).statusCode).toBe(200)
  await server.call('POST', '/api/auth/logout', { as: sender })
  expect((await get(url)).statusCode).toBe(404)
})

it('sends only the teaser before the instant, and the letter by the clock to everybody alike', async () => {
  const start = server.clock.now
  const bytes = await colourVideo({ seconds: 4 })
  const { url } = await uploadFile(server, author, {
    bytes,
    folder: 'videos',
    name: 'secret.mp4',
    fields: { teaserData: '1|2' },
  })
  const { id } = await createRevelation(server, author, {
    file_url: url,
    file_type: 'video',
    teaser_start: 1,
    teaser_end: 2,
  })
  await server.runJobs()
  const sealed = (await server.call('GET', `/api/revelations/${id}`)).body.revelation
  const teaser = await get(sealed.teaser_url)
  expect(teaser.statusCode).toBe(200)
  expect(teaser.headers['cache-control']).toBe('private, max-age=300')
  const saved = await get(`${sealed.teaser_url}&download=1`)
  expect(saved.headers['content-disposition']).not.toContain('secret')
  expect((await get(sealed.thumbnail_teaser)).headers['content-type']).toBe('image/webp')

  const own = (await server.call('GET', `/api/revelations/${id}`, { as: author })).body.revelation
  const second = await get(own.file_url)
  expect(second.rawPayload.equals(bytes)).toBe(true)
  expect(second.headers['cache-control']).toBe('private, no-store')

  const mediaId = own.file_url.split('/').at(-1).slice(0, 36)
  const stolen = createTicket(server.ctx, mediaId, 'original', 'visitor')
  const address = `/api/secure-file/videos/${mediaId}.mp4?token=${stolen}`
  const early = await get(address)
  const absent = await get(
    `/api/secure-file/videos/${id}.mp4?token=${createTicket(server.ctx, id, 'original', 'visitor')}`,
  )
  expect([early.statusCode, early.body]).toEqual([404, absent.body])

  server.clock.advance(A_DAY_MS)
  const open = (await server.call('GET', `/api/revelations/${id}`)).body.revelation
  for (const link of [open.file_url, open.file_mobile_url, open.thumbnail_complete]) {
    const answer = await get(link)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['cache-control']).toBe('private, max-age=300')
  }
  expect(open).toMatchObject({ file_name: 'secret.mp4', file_size: bytes.length, duration: 4 })

  await server.call('DELETE', `/api/revelations/${id}`, { as: author })
  expect((await get(open.file_url)).statusCode).toBe(404)
  expect((await get(open.teaser_url)).statusCode).toBe(404)
  server.clock.now = start
})

it('checks the right anew at each request', async () => {
  const friend = await signedIn(server)
  await relate(server, author, friend, 'friend')
  const bytes = await colourVideo({ seconds: 2 })
  const { url } = await uploadFile(server, author, { bytes, folder: 'videos' })
  const { id } = await createRevelation(server, author, {
    visibility: 'friends',
    file_url: url,
    teaser_start: 0,
    teaser_end: 1,
  })
  await server.runJobs()
  const seen = (await server.call('GET', `/api/revelations/${id}`, { as: friend })).body.revelation
  const before = await get(seen.teaser_url)
  expect(before.statusCode).toBe(200)
  expect(before.headers['cache-control']).toBe('private, no-store')
  await server.ctx.db.deleteFrom('relationships').execute()
  expect((await get(seen.teaser_url)).statusCode).toBe(404)
})

it('closes the stored file when a client leaves', async () => {
  const origin = await server.listen()
  const bytes = await toneAudio('wav', 120)
  const { url } = await uploadFile(server, author, { bytes, folder: 'audio' })
  const request = http.get(`${origin}${url}`, { agent: false })
  request.on('error', () => {})
  await new Promise<void>((resolve) => {
    request.on('response', (response) => response.once('readable', resolve))
  })
  await expect.poll(countOpenFiles).toBe(1)
  request.destroy()
  await expect.poll(countOpenFiles).toBe(0)
})

/** Stored objects that this process has open, by the system. */
async function countOpenFiles(): Promise<number> {
  const folder = `${server.ctx.config.dataDir}/files`
  const files = `/proc/${storageProcess()}/fd`
  const links = await Promise.all(
    (await readdir(files)).map((fd) => readlink(`${files}/${fd}`).catch(() => '')),
  )
  return links.filter((link) => link.startsWith(folder)).length
}
