import { createHash } from 'node:crypto'
import http from 'node:http'
import net from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Folder } from '#contract/media.ts'
import {
  colourVideo,
  htmlBytes,
  hugePng,
  pdf,
  photoWithGps,
  picture,
  playlistNamedMp4,
  svgBytes,
  toneAudio,
} from '#test/media-files.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#test/test-server.ts'
import { countStoredFiles, sendFile, uploadFile, uploadForm } from '#test/uploads.ts'

const MB = 1024 * 1024

let server: TestApp
let sender: Person
let origin: string

beforeAll(async () => {
  server = await startTestServer()
  sender = await signedIn(server)
  origin = await server.listen()
})
afterAll(() => server.close())
afterEach(async () => {
  await server.ctx.db.deleteFrom('mediaSteps').execute()
  await server.ctx.db.deleteFrom('media').execute()
  for await (const { key } of server.ctx.storage.list('')) await server.ctx.storage.delete(key)
})

async function countRows(): Promise<number> {
  const { rows } = await server.ctx.pool.query('select count(*) as n from media')
  return rows[0].n
}

async function expectNothingKept(): Promise<void> {
  expect(await countRows()).toBe(0)
  expect(await countStoredFiles(server)).toBe(0)
}

async function subscribe(person: Person, plan: string): Promise<void> {
  await server.ctx.db
    .insertInto('subscriptions')
    .values({ userId: person.id, plan, expiresAt: null })
    .execute()
}

test.each<[Folder, string, () => Promise<Buffer> | Buffer, string, string[]]>([
  ['videos', 'video/mp4', () => colourVideo({ seconds: 2 }), 'mp4', ['thumbnails', 'mobile']],
  [
    'videos',
    'video/quicktime',
    () => colourVideo({ seconds: 1, format: 'mov' }),
    'mov',
    ['thumbnails', 'mobile'],
  ],
  [
    'videos',
    'video/webm',
    () => colourVideo({ seconds: 1, format: 'webm' }),
    'webm',
    ['thumbnails', 'mobile'],
  ],
  [
    'videos',
    'video/x-msvideo',
    () => colourVideo({ seconds: 1, format: 'avi' }),
    'avi',
    ['thumbnails', 'mobile'],
  ],
  ['images', 'image/jpeg', () => photoWithGps(), 'jpg', ['image']],
  ['images', 'image/png', () => picture('png'), 'png', ['image']],
  ['images', 'image/gif', () => picture('gif'), 'gif', ['image']],
  ['images', 'image/webp', () => picture('webp', 1, 1), 'webp', ['image']],
  ['audio', 'audio/mpeg', () => toneAudio('mp3'), 'mp3', ['audio']],
  ['audio', 'audio/wav', () => toneAudio('wav'), 'wav', ['audio']],
  ['audio', 'audio/ogg', () => toneAudio('ogg'), 'ogg', ['audio']],
  ['audio', 'audio/mp4', () => toneAudio('m4a'), 'm4a', ['audio']],
  ['audio', 'audio/webm', () => toneAudio('webm'), 'webm', ['audio']],
  ['documents', 'application/pdf', () => pdf(), 'pdf', []],
])(
  '%s takes %s, and gives back the very bytes that were sent',
  async (folder, type, make, extension, jobs) => {
    const bytes = await make()
    const result = await uploadFile(server, sender, { bytes, folder, name: `Été.${extension}` })
    expect(result).toMatchObject({
      path: `${folder}/${result.filename}`,
      originalName: `Été.${extension}`,
      size: bytes.length,
      mimetype: type,
      userExperience: { canProceed: true },
      processing: { enabled: jobs.length > 0, totalJobs: jobs.length },
    })
    expect(result.processing.jobs.map((job: { type: string }) => job.type)).toEqual(jobs)
    expect(result.filename).toMatch(new RegExp(`^[0-9a-f-]{36}\\.${extension}$`))
    expect(result.url).toContain(`/api/secure-file/${result.path}?token=`)
    const sent = await server.app.inject(result.url)
    expect(sent.headers['content-type']).toBe(type)
    const sha256 = (data: Buffer) => createHash('sha256').update(data).digest('hex')
    expect(sha256(sent.rawPayload)).toBe(sha256(bytes))
  },
)

test('what a browser records has no duration of its own, and gets one', async () => {
  const bytes = await toneAudio('webm', 3)
  const result = await uploadFile(server, sender, { bytes, folder: 'audio' })
  expect(result.duration).toBeCloseTo(3, 0)
})

test('a sound in a container of films is a sound, whatever folder the browser thought of', async () => {
  const bytes = await toneAudio('webm')
  const result = await uploadFile(server, sender, { bytes, folder: 'videos', type: 'video/webm' })
  expect(result).toMatchObject({ mimetype: 'audio/webm', path: `audio/${result.filename}` })
})

test('the folder may be left out', async () => {
  const result = await uploadFile(server, sender, { bytes: pdf() })
  expect(result.path).toBe(`documents/${result.filename}`)
})

test('a visitor sends nothing', async () => {
  const answer = await sendFile(server, undefined, { bytes: pdf(), folder: 'documents' })
  expect(answer).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
  await expectNothingKept()
})

const ELSEWHERE = '/etc/passwd'

test.each<[string, string, Buffer, string, Folder]>([
  ['playlist.mp4', 'video/mp4', playlistNamedMp4('hls', ELSEWHERE), 'contenu inconnu', 'videos'],
  ['concat.mp4', 'video/mp4', playlistNamedMp4('ffconcat', ELSEWHERE), 'contenu inconnu', 'videos'],
  ['dessin.png', 'image/png', svgBytes(), 'contenu inconnu', 'images'],
  ['dessin.svg', 'image/svg+xml', svgBytes(), 'image/svg+xml', 'images'],
  ['page.pdf', 'application/pdf', htmlBytes(), 'contenu inconnu', 'documents'],
  ['page.html', 'text/html', htmlBytes(), 'text/html', 'documents'],
  [
    'archive.zip',
    'application/zip',
    Buffer.from('PK\u0003\u0004rest'),
    'application/zip',
    'documents',
  ],
  ['un octet.mp4', 'video/mp4', Buffer.from('x'), 'contenu inconnu', 'videos'],
  ['type.bin', 'a/b<script>', Buffer.from('rien'), 'a/bscript', 'images'],
])('%j (%s) is refused by its bytes', async (name, type, bytes, told, folder) => {
  const answer = await sendFile(server, sender, { bytes, folder, name, type })
  expect(answer).toMatchObject({
    status: 415,
    body: { code: 'unsupported_type', error: `Type de fichier non autorisé: ${told}` },
  })
  await expectNothingKept()
})

test.each<[Folder, () => Promise<Buffer> | Buffer, string]>([
  ['videos', () => picture('png'), 'image/png'],
  ['videos', () => toneAudio('mp3'), 'audio/mpeg'],
  ['audio', () => colourVideo({ seconds: 1, format: 'avi' }), 'video/x-msvideo'],
  ['images', () => pdf(), 'application/pdf'],
  ['documents', () => picture('gif'), 'image/gif'],
])('%s does not take what belongs in another folder', async (folder, make, type) => {
  const answer = await sendFile(server, sender, { bytes: await make(), folder })
  expect(answer).toMatchObject({
    status: 415,
    body: { error: `Type de fichier non autorisé: ${type}` },
  })
  await expectNothingKept()
})

test('an empty file, no file, no form and an unknown folder are refused', async () => {
  const empty = await sendFile(server, sender, { bytes: Buffer.alloc(0), folder: 'videos' })
  expect(empty).toMatchObject({ status: 400, body: { error: 'Fichier invalide' } })
  const { headers } = uploadForm({})
  const boundary = headers['content-type']?.split('boundary=')[1]
  const noFile = await server.call('POST', '/api/upload', {
    as: sender,
    headers,
    body: `--${boundary}\r\nContent-Disposition: form-data; name="folder"\r\n\r\nvideos\r\n--${boundary}--\r\n`,
  })
  expect(noFile).toMatchObject({ status: 400, body: { error: 'Fichier invalide' } })
  const json = await server.call('POST', '/api/upload', { as: sender, body: { folder: 'videos' } })
  expect(json).toMatchObject({ status: 400, body: { error: 'Fichier invalide' } })
  const nothing = await server.call('POST', '/api/upload', { as: sender, headers, body: '' })
  expect(nothing.status).toBe(400)
  const noBoundary = await server.call('POST', '/api/upload', {
    as: sender,
    headers: { 'content-type': 'multipart/form-data' },
    body: 'x',
  })
  expect(noBoundary.status).toBe(400)
  const folder = '../keys' as Folder
  const elsewhere = await sendFile(server, sender, { bytes: pdf(), folder })
  expect(elsewhere).toMatchObject({ status: 400, body: { fields: { folder: expect.any(String) } } })
  await expectNothingKept()
})

test('a broken video, a cut one and a picture of absurd size are refused', async () => {
  const video = await colourVideo({ seconds: 3 })
  const noise = Buffer.concat([video.subarray(0, 40), Buffer.alloc(5_000, 7)])
  for (const bytes of [noise, video.subarray(0, video.length / 2)]) {
    const answer = await sendFile(server, sender, { bytes, folder: 'videos', type: 'video/mp4' })
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_file' } })
  }
  const huge = await sendFile(server, sender, { bytes: hugePng(), folder: 'images' })
  expect(huge).toMatchObject({ status: 400, body: { code: 'invalid_file' } })
  expect(huge.body.error).toContain('pixels')
  await expectNothingKept()
})

test.each([
  ['a\u0000b.pdf', 'ab.pdf'],
  ['../../../etc/passwd.pdf', 'passwd.pdf'],
  ['..', 'fichier.pdf'],
  ['C:\\Users\\moi\\bilan.pdf', 'bilan.pdf'],
  ['été 👩‍👧 "fini".pdf', 'été 👩‍👧 %22fini%22.pdf'],
  ['', 'fichier.pdf'],
])('the name %j is kept as %j and names no file of the disk', async (name, kept) => {
  const result = await uploadFile(server, sender, { bytes: pdf(), folder: 'documents', name })
  expect(result.originalName).toBe(kept)
  const keys: string[] = []
  for await (const { key } of server.ctx.storage.list('')) keys.push(key)
  expect(keys).toEqual([expect.stringMatching(/^media\/[0-9a-f]{2}\/[0-9a-f]{32}$/)])
})

test('a teaser is checked before the transfer, then against the length of the video', async () => {
  const bytes = await colourVideo({ seconds: 4 })
  const send = (teaserData: string) =>
    sendFile(server, sender, { bytes, folder: 'videos', fields: { teaserData } })
  for (const [window, sentence] of [
    ['0|0.5', 'La fin du teaser doit être au moins 1 s après son début'],
    ['0|31', 'Le teaser dépasse la durée maximale autorisée'],
    ['a|b', 'Le teaser n’est pas valide'],
    ['2|6', 'Le teaser dépasse la fin de la vidéo'],
  ] as const) {
    const answer = await send(window)
    expect(answer).toMatchObject({ status: 400, body: { fields: { teaserEnd: sentence } } })
  }
  await expectNothingKept()
  const { body } = await send('1|3')
  expect(body.processing.jobs.map((job: { type: string }) => job.type)).toEqual([
    'teaser',
    'thumbnails',
    'mobile',
  ])
})

test('601 MB that say so are refused before the transfer', async () => {
  const { headers, before } = uploadForm({ folder: 'videos', name: 'long.mp4' })
  const answer = await request(
    { ...headers, 'content-length': String(601 * MB + 500) },
    Readable.from([before]),
  )
  expect(answer).toMatchObject({
    status: 413,
    body: {
      code: 'file_too_large',
      error: 'Fichier trop volumineux (601 MB). Maximum autorisé: 600MB',
    },
  })
  await expectNothingKept()
})

test('601 MB that do not say so are refused at the 600th, and nothing is left', async () => {
  const person = await signedIn(server)
  await subscribe(person, 'pro')
  const { headers, before, after } = uploadForm({ folder: 'videos', name: 'long.mp4' })
  const head = (await colourVideo({ seconds: 1 })).subarray(0, 64)
  async function* body() {
    yield before
    yield head
    const zeros = Buffer.alloc(MB)
    for (let sent = 0; sent < 601; sent += 1) yield zeros
    yield after
  }
  const answer = await request(headers, Readable.from(body()), person)
  expect(answer).toMatchObject({ status: 413, body: { code: 'file_too_large' } })
  expect(answer.body.error).toContain('Taille maximum: 600MB')
  await expectNothingKept()
}, 60_000)

test('an upload cut in the middle leaves nothing', async () => {
  const bytes = await toneAudio('wav', 20)
  const { headers, before, after } = uploadForm({ folder: 'audio' })
  const whole = Buffer.concat([before, bytes, after])
  const { port } = new URL(origin)
  for (const sent of [before.length + 10, before.length + 600_000, whole.length - 3]) {
    const socket = net.connect(Number(port), '127.0.0.1')
    const lines = [
      'POST /api/upload HTTP/1.1',
      'host: localhost',
      `authorization: Bearer ${sender.token}`,
      `content-type: ${headers['content-type']}`,
      `content-length: ${whole.length}`,
    ]
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    await new Promise((resolve) => socket.write(whole.subarray(0, sent), resolve))
    if (sent > 500_000) await expect.poll(countRows).toBe(1)
    socket.destroy()
    await expect.poll(countRows).toBe(0)
    await expect.poll(() => countStoredFiles(server)).toBe(0)
  }
})

test('a form that ends in the middle of its file is refused', async () => {
  const bytes = await toneAudio('wav', 20)
  const { headers, before } = uploadForm({ folder: 'audio' })
  for (const length of [100, 10_000, 900_000, bytes.length]) {
    const answer = await server.call('POST', '/api/upload', {
      as: sender,
      headers,
      body: Buffer.concat([before, bytes.subarray(0, length)]),
    })
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_file' } })
  }
  await expectNothingKept()
})

test('two uploads at once per person; the third waits its turn', async () => {
  const bytes = await toneAudio('wav', 20)
  const { headers, before, after } = uploadForm({ folder: 'audio' })
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const held = gates.map(({ promise }) =>
    request(
      headers,
      Readable.from(
        (async function* () {
          yield Buffer.concat([before, bytes.subarray(0, 600_000)])
          await promise
          yield Buffer.concat([bytes.subarray(600_000), after])
        })(),
      ),
    ),
  )
  await expect.poll(countRows).toBe(2)
  const third = await sendFile(server, sender, { bytes: pdf(), folder: 'documents' })
  expect(third).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
  expect(Number(third.headers['retry-after'])).toBeGreaterThan(0)
  const other = await signedIn(server)
  await uploadFile(server, other, { bytes: pdf(), folder: 'documents' })
  for (const gate of gates) gate.resolve()
  expect((await Promise.all(held)).map(({ status }) => status)).toEqual([201, 201])
  await uploadFile(server, sender, { bytes: pdf(), folder: 'documents' })
})

/** Fills a person's plan but for a few bytes, without the bytes. */
async function fillPlan(person: Person, leftBytes: number): Promise<void> {
  const { path } = await uploadFile(server, person, { bytes: pdf(), folder: 'documents' })
  await server.ctx.db
    .updateTable('media')
    .set({ sizeBytes: 500 * MB - leftBytes })
    .where('id', '=', path.slice('documents/'.length, -'.pdf'.length))
    .execute()
}

test('a file beyond the plan is refused with what is left, before the transfer when it says its size', async () => {
  const person = await signedIn(server)
  await fillPlan(person, 150_000)
  const bytes = await toneAudio('wav', 20)
  const declared = await sendFile(server, person, { bytes, folder: 'audio' })
  const { headers, before, after } = uploadForm({ folder: 'audio' })
  const chunked = await request(headers, Readable.from([before, bytes, after]), person)
  for (const answer of [declared, chunked]) {
    expect(answer).toMatchObject({ status: 413, body: { code: 'quota_exceeded' } })
    expect(answer.body.error).toContain('0,1 MB')
  }
  expect(await countRows()).toBe(1)
  expect(await countStoredFiles(server)).toBe(1)
})

test('a file that fits to the byte is taken; then there is room for nothing', async () => {
  const person = await signedIn(server)
  const bytes = pdf()
  await fillPlan(person, bytes.length)
  await uploadFile(server, person, { bytes, folder: 'documents' })
  const answer = await sendFile(server, person, { bytes, folder: 'documents' })
  expect(answer).toMatchObject({ status: 413, body: { code: 'quota_exceeded' } })
})

test('ten uploads in parallel never take more room than there is', async () => {
  const person = await signedIn(server)
  const bytes = await toneAudio('wav', 2)
  await fillPlan(person, Math.floor(bytes.length * 1.5))
  const { headers, before, after } = uploadForm({ folder: 'audio' })
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      n % 2
        ? sendFile(server, person, { bytes, folder: 'audio' })
        : request(headers, Readable.from([before, bytes, after]), person),
    ),
  )
  const taken = answers.filter(({ status }) => status === 201)
  expect(taken.length).toBeLessThanOrEqual(1)
  for (const { status } of answers) expect([201, 413, 429]).toContain(status)
  const { rows } = await server.ctx.pool.query(
    'select sum(size_bytes)::float as used, count(*) as n from media',
  )
  expect(rows[0].used).toBeLessThanOrEqual(500 * MB)
  expect(rows[0].n).toBe(1 + taken.length)
  expect(await countStoredFiles(server)).toBe(1 + taken.length)
})

interface Answered {
  status: number
  headers: http.IncomingHttpHeaders
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any shape
  body: any
}

/** A request on a real connection; the answer may come before the body is sent. */
function request(
  headers: Record<string, string>,
  body: Readable,
  as: Person = sender,
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const sent = http.request(
      `${origin}/api/upload`,
      {
        method: 'POST',
        agent: false,
        headers: { ...headers, authorization: `Bearer ${as.token}` },
      },
      async (response) => {
        const chunks = await response.toArray()
        const text = Buffer.concat(chunks).toString()
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: JSON.parse(text),
        })
        sent.destroy()
      },
    )
    // What is still being sent when the answer comes is cut by us.
    sent.on('error', reject)
    pipeline(body, sent).catch(() => {})
  })
}
