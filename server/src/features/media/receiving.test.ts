import { createHash } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { Folder } from '#contract/media.ts'
import {
  colourVideo,
  htmlBytes,
  hugePng,
  pdf,
  photoWithGps,
  picture,
  playlistNamedMp4,
  silentWav,
  svgBytes,
  toneAudio,
} from '#testing/media-files.ts'
import { photograph } from '#testing/photographs.ts'
import { uploadInParts } from '#testing/resumable-uploads.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'
import { countStoredFiles, sendFile, uploadFile, uploadForm } from '#testing/uploads.ts'

let server: TestApp
let sender: Person

beforeAll(async () => {
  server = await startTestServer()
  sender = await signedIn(server)
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

async function expectNothingStored(): Promise<void> {
  expect(await countRows()).toBe(0)
  expect(await countStoredFiles(server)).toBe(0)
}

it.each<[Folder, string, () => Promise<Buffer> | Buffer, string, string[]]>([
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
  ['images', 'image/jpeg', () => photoWithGps(), 'jpg', ['image', 'copy']],
  ['images', 'image/png', () => picture('png'), 'png', ['image', 'copy']],
  ['images', 'image/gif', () => picture('gif'), 'gif', ['image', 'copy']],
  ['images', 'image/webp', () => picture('webp', 1, 1), 'webp', ['image', 'copy']],
  ['images', 'image/heic', () => photograph('photo.heic'), 'heic', ['image', 'copy']],
  ['audio', 'audio/mpeg', () => toneAudio('mp3'), 'mp3', ['audio']],
  ['audio', 'audio/wav', () => toneAudio('wav'), 'wav', ['audio']],
  ['audio', 'audio/ogg', () => toneAudio('ogg'), 'ogg', ['audio']],
  ['audio', 'audio/mp4', () => toneAudio('m4a'), 'm4a', ['audio']],
  ['audio', 'audio/webm', () => toneAudio('webm'), 'webm', ['audio']],
  ['documents', 'application/pdf', () => pdf(), 'pdf', ['document']],
])(
  'receives in %s %s, and sends back the very bytes',
  async (folder, type, createBytes, extension, jobs) => {
    const bytes = await createBytes()
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

it('measures the duration of a browser recording, which has none', async () => {
  const bytes = await toneAudio('webm', 3)
  const result = await uploadFile(server, sender, { bytes, folder: 'audio' })
  expect(result.duration).toBeCloseTo(3, 0)
})

it('detects a recording in a container of films, whatever folder the browser names', async () => {
  const bytes = await toneAudio('webm')
  const result = await uploadFile(server, sender, { bytes, folder: 'videos', type: 'video/webm' })
  expect(result).toMatchObject({ mimetype: 'audio/webm', path: `audio/${result.filename}` })
})

it('rejects media longer than the plan allows in words, by a form or in parts', async () => {
  const bytes = silentWav(2 * 3_600 + 61)
  for (const answer of [
    await sendFile(server, sender, { bytes, folder: 'audio' }),
    await uploadInParts(server, sender, bytes),
  ]) {
    expect(answer).toMatchObject({
      status: 413,
      body: {
        code: 'media_too_long',
        error:
          'Ce fichier dure 2\u00A0h\u00A002, et le plan Gratuit accepte jusqu’à 2\u00A0h par fichier. Raccourcissez-le ou changez de plan.',
      },
    })
  }
  await server.runJobs()
  await expectNothingStored()
  const { body } = await server.call('GET', '/api/uploads', { as: sender })
  expect(body.uploads).toEqual([])
  const longer = await signedIn(server)
  await server.ctx.db
    .insertInto('subscriptions')
    .values({ userId: longer.id, plan: 'pro' })
    .execute()
  expect((await uploadFile(server, longer, { bytes })).duration).toBeCloseTo(7_261, 0)
})

it('accepts a form without a folder', async () => {
  const result = await uploadFile(server, sender, { bytes: pdf() })
  expect(result.path).toBe(`documents/${result.filename}`)
})

it('rejects a visitor', async () => {
  const answer = await sendFile(server, undefined, { bytes: pdf(), folder: 'documents' })
  expect(answer).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
  await expectNothingStored()
})

const ELSEWHERE = '/etc/passwd'

it.each<[string, string, Buffer, string, Folder]>([
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
])('rejects %j (%s) by its bytes', async (name, type, bytes, named, folder) => {
  const answer = await sendFile(server, sender, { bytes, folder, name, type })
  expect(answer).toMatchObject({
    status: 415,
    body: { code: 'unsupported_type', error: `Type de fichier non autorisé: ${named}` },
  })
  await expectNothingStored()
})

it.each<[Folder, () => Promise<Buffer> | Buffer, string]>([
  ['videos', () => picture('png'), 'image/png'],
  ['videos', () => toneAudio('mp3'), 'audio/mpeg'],
  ['audio', () => colourVideo({ seconds: 1, format: 'avi' }), 'video/x-msvideo'],
  ['images', () => pdf(), 'application/pdf'],
  ['documents', () => picture('gif'), 'image/gif'],
])('rejects in %s a file of another folder', async (folder, createBytes, type) => {
  const answer = await sendFile(server, sender, { bytes: await createBytes(), folder })
  expect(answer).toMatchObject({
    status: 415,
    body: { error: `Type de fichier non autorisé: ${type}` },
  })
  await expectNothingStored()
})

it('rejects an empty file, no file, no form and an unknown folder', async () => {
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
  await expectNothingStored()
})

it('rejects a broken video, a cut one and a picture of absurd size', async () => {
  const video = await colourVideo({ seconds: 3 })
  const noise = Buffer.concat([video.subarray(0, 40), Buffer.alloc(5_000, 7)])
  for (const bytes of [noise, video.subarray(0, video.length / 2)]) {
    const answer = await sendFile(server, sender, { bytes, folder: 'videos', type: 'video/mp4' })
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_file' } })
  }
  const huge = await sendFile(server, sender, { bytes: hugePng(), folder: 'images' })
  expect(huge).toMatchObject({ status: 400, body: { code: 'invalid_file' } })
  expect(huge.body.error).toContain('pixels')
  await expectNothingStored()
})

it('rejects a HEIC that is cut, says no size, or says an absurd one', async () => {
  const bytes = await photograph('photo.heic')
  const size = bytes.indexOf('ispe') + 8
  const tall = Buffer.from(bytes)
  tall.writeUInt32BE(1_000_000, size)
  const flat = Buffer.from(bytes)
  flat.writeUInt32BE(0, size)
  for (const [sent, words] of [
    [bytes.subarray(0, 32), 'Fichier invalide'],
    [bytes.subarray(0, bytes.indexOf('ispe')), 'Fichier invalide'],
    [flat, 'Fichier invalide'],
    [tall, 'pixels'],
  ] as const) {
    const answer = await sendFile(server, sender, { bytes: sent, folder: 'images' })
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_file' } })
    expect(answer.body.error).toContain(words)
  }
  await expectNothingStored()
})

it.each([
  ['a\u0000b.pdf', 'ab.pdf'],
  ['../../../etc/passwd.pdf', 'passwd.pdf'],
  ['..', 'fichier.pdf'],
  ['C:\\Users\\moi\\bilan.pdf', 'bilan.pdf'],
  ['été 👩‍👧 "fini".pdf', 'été 👩‍👧 %22fini%22.pdf'],
  ['', 'fichier.pdf'],
])('cleans the name %j to %j, which names no file of the disk', async (name, cleaned) => {
  const result = await uploadFile(server, sender, { bytes: pdf(), folder: 'documents', name })
  expect(result.originalName).toBe(cleaned)
  const keys: string[] = []
  for await (const { key } of server.ctx.storage.list('')) keys.push(key)
  expect(keys).toEqual([expect.stringMatching(/^media\/[0-9a-f]{2}\/[0-9a-f]{32}$/)])
})

it('validates a teaser before the transfer, then against the length of the video', async () => {
  const bytes = await colourVideo({ seconds: 4 })
  const send = (teaserData: string) =>
    sendFile(server, sender, { bytes, folder: 'videos', fields: { teaserData } })
  for (const [window, sentence] of [
    ['0|0.5', 'La fin de l’extrait doit être au moins 1\u00A0s après son début'],
    ['0|31', 'Le teaser dépasse la durée maximale autorisée'],
    ['a|b', 'L’extrait n’est pas valide'],
    ['2|6', 'L’extrait dépasse la fin de la vidéo'],
  ] as const) {
    const answer = await send(window)
    expect(answer).toMatchObject({ status: 400, body: { fields: { teaserEnd: sentence } } })
  }
  await expectNothingStored()
  const { body } = await send('1|3')
  expect(body.processing.jobs.map((job: { type: string }) => job.type)).toEqual([
    'teaser',
    'thumbnails',
    'mobile',
  ])
})
