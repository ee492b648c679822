import { createHash, randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { createApi } from '#server/api.ts'
import { openFacts, openKeyForWork } from '#server/features/media/file-keys.service.ts'
import { openUploadKey } from '#server/features/media/upload-seal.service.ts'
import { clientOf } from '#testing/http-client.ts'
import { colourVideo, paddedPdf, pdf, picture, toneAudio } from '#testing/media-files.ts'
import {
  abandon,
  beginUpload,
  finish,
  offsetOf,
  openPart,
  requestProgress,
  requestUpload,
  sendPart,
  sha256Of,
  uploadInParts,
} from '#testing/resumable-uploads.ts'
import { loseAnswer } from '#testing/statements.ts'
import {
  type Answer,
  type Person,
  signedIn,
  startTestServer,
  type TestApp,
} from '#testing/test-server.ts'
import { countStoredFiles, sendFile } from '#testing/uploads.ts'

const MB = 1024 * 1024
const TUS = { 'tus-resumable': '1.0.0' }

let server: TestApp
let origin: string
let sender: Person

beforeAll(async () => {
  server = await startTestServer()
  origin = await server.listen()
  sender = await signedIn(server)
})
afterAll(() => server.close())
afterEach(async () => {
  await server.ctx.db.deleteFrom('uploads').execute()
  await server.ctx.db.deleteFrom('mediaSteps').execute()
  await server.ctx.db.deleteFrom('media').execute()
  for await (const { key } of server.ctx.storage.list('')) await server.ctx.storage.delete(key)
})

async function countRows(table: 'media' | 'uploads' | 'upload_pieces'): Promise<number> {
  const { rows } = await server.ctx.pool.query(`select count(*) as n from ${table}`)
  return rows[0].n
}

/** The answer has this very file, and its sum is known. */
async function expectFile({ status, body }: Answer, bytes: Buffer): Promise<void> {
  expect(status).toBe(201)
  expect(sha256Of(await served(body.url))).toBe(sha256Of(bytes))
  const media = await server.ctx.db.selectFrom('media').selectAll().executeTakeFirstOrThrow()
  const facts = openFacts(openKeyForWork(server.ctx, media), media)
  expect(facts).toMatchObject({ sizeBytes: bytes.length, sha256: sha256Of(bytes) })
}

async function expectNothingStored(): Promise<void> {
  await server.runJobs()
  expect([await countRows('media'), await countRows('uploads')]).toEqual([0, 0])
  expect(await countStoredFiles(server)).toBe(0)
}

/** The bytes that are served for an upload result. */
async function served(url: string): Promise<Buffer> {
  return (await server.app.inject(url)).rawPayload
}

it('receives in parts the very file of a form', async () => {
  const bytes = await colourVideo({ seconds: 4 })
  const facts = { name: 'Été.mp4', type: 'video/mp4' }
  const created = await requestUpload(server, sender, bytes.length, facts)
  expect(created).toMatchObject({
    status: 201,
    headers: { 'tus-resumable': '1.0.0', 'upload-expires': 'Sat, 21 Nov 2026 12:00:00 GMT' },
  })
  const location = String(created.headers.location)
  expect(location).toMatch(/^\/api\/uploads\/[0-9a-f-]{36}$/)
  const middle = Math.floor(bytes.length / 3)
  const first = await sendPart(server, sender, location, {
    offset: 0,
    bytes: bytes.subarray(0, middle),
  })
  expect(first).toMatchObject({ status: 204, headers: { 'upload-offset': String(middle) } })
  await sendPart(server, sender, location, { offset: middle, bytes: bytes.subarray(middle) })

  const wish = { folder: 'videos', teaserStart: 1, teaserEnd: 3 }
  const { status, body } = await finish(server, sender, location, wish)

  expect(status).toBe(201)
  const sameInAForm = await sendFile(server, sender, {
    bytes,
    folder: 'videos',
    name: 'Été.mp4',
    fields: { teaserData: '1|3' },
  })
  const { jobs } = body.processing
  expect(jobs.map((job: { type: string }) => job.type)).toEqual(['teaser', 'thumbnails', 'mobile'])
  for (const field of [
    'originalName',
    'size',
    'sizeMB',
    'mimetype',
    'duration',
    'userExperience',
  ]) {
    expect(body[field]).toEqual(sameInAForm.body[field])
  }
  expect(sha256Of(await served(body.url))).toBe(sha256Of(bytes))
})

it('deletes the pieces of a finished upload, not the file', async () => {
  const { body } = await uploadInParts(server, sender, await picture('png'))
  await server.runJobs()
  expect(await countRows('upload_pieces')).toBe(0)
  const keys: string[] = []
  for await (const { key } of server.ctx.storage.list('uploads/')) keys.push(key)
  expect(keys).toEqual([])
  expect(sha256Of(await served(body.url))).toBe(sha256Of(await picture('png')))
})

it('answers the same file when it is finished again: at once, by two programs and later', async () => {
  const bytes = await toneAudio('wav', 30)
  const location = await beginUpload(server, sender, bytes.length)
  await sendPart(server, sender, location, { offset: 0, bytes })
  const other = await createApi(server.ctx)
  try {
    const request = async (app: typeof other) => {
      const answer = await app.inject({
        method: 'POST',
        url: `${location}/file`,
        headers: { authorization: `Bearer ${sender.token}` },
        payload: { folder: 'audio' },
      })
      expect(answer.statusCode).toBe(201)
      return answer.json()
    }
    const answers = await Promise.all([server.app, other, server.app, other].map(request))
    answers.push(await request(server.app))
    for (const answer of answers) expect(answer).toEqual(answers[0])
  } finally {
    await other.close()
  }
  expect(await countRows('media')).toBe(1)
  await server.runJobs()
  const { status, headers } = await requestProgress(server, sender, location)
  expect([status, headers['upload-offset']]).toEqual([200, String(bytes.length)])
  expect(await countRows('media')).toBe(1)
})

it.each([
  ['closed', 'loses no more than what was not read yet'],
  ['destroyed', 'loses nothing that was answered as received'],
] as const)('resumes after a connection %s at twenty random places %s', async (end, _promise) => {
  const film = await colourVideo({ seconds: 4, format: 'mov' })
  const bytes = Buffer.concat([film, randomBytes(12 * MB)])
  const location = await beginUpload(server, sender, bytes.length)
  let known = 0
  for (let cut = 0; cut < 20; cut += 1) {
    const offset = await offsetOf(server, sender, location)
    expect(offset).toBeGreaterThanOrEqual(known)
    const part = openPart(origin, sender.token, location, {
      offset,
      length: bytes.length - offset,
    })
    known = offset + 1 + Math.floor(Math.random() * (bytes.length / 21))
    await part.send(bytes.subarray(offset, known))
    if (end === 'closed') {
      part.close()
      const unread = 512 * 1024
      await expect
        .poll(() => offsetOf(server, sender, location))
        .toBeGreaterThanOrEqual(Math.max(offset, known - unread))
      known = await offsetOf(server, sender, location)
    } else {
      part.destroy()
      known = offset
    }
  }
  await sendRest(location, bytes)
  await expectFile(await finish(server, sender, location, { folder: 'videos' }), bytes)
})

/** Sends what is missing; what an earlier request still brings in moves its place. */
async function sendRest(location: string, bytes: Buffer): Promise<void> {
  for (;;) {
    const offset = await offsetOf(server, sender, location)
    const part = openPart(origin, sender.token, location, { offset, length: bytes.length - offset })
    await part.send(bytes.subarray(offset))
    part.end()
    const { status } = await part.answer
    if (status === 204) return
    expect(status).toBe(409)
  }
}

it.each([
  ['one program', 1],
  ['two programs in turn', 2],
])('receives parts of any size in %s', async (_name, programs) => {
  const bytes = paddedPdf(3 * MB + 77)
  const location = await beginUpload(server, sender, bytes.length)
  const other = await createApi(server.ctx)
  try {
    const there = clientOf(await other.listen({ host: '127.0.0.1', port: 0 }))
    const chunk = 65_536
    const sizes = [1, 40, chunk - 41, chunk, 2 * chunk - 1, 1, 10, MB + 3, chunk + 5, MB]
    let offset = 0
    for (const [turn, size] of [...sizes, bytes.length].entries()) {
      const part = { offset, bytes: bytes.subarray(offset, offset + size) }
      const client = turn % programs === 0 ? server : there
      expect(await sendPart(client, sender, location, part)).toMatchObject({ status: 204 })
      offset = Math.min(offset + size, bytes.length)
      expect(await offsetOf(server, sender, location)).toBe(offset)
    }
    await expectFile(await finish(programs === 1 ? server : there, sender, location), bytes)
  } finally {
    await other.close()
  }
})

it('goes on after a commit whose answer was lost, and after a part that was altered', async () => {
  const bytes = paddedPdf(MB)
  const location = await beginUpload(server, sender, bytes.length)
  const [first, second] = [100_000, 300_000]
  const lost = loseAnswer('commit', 'update "uploads" set "received_bytes"')
  try {
    await sendPart(server, sender, location, { offset: 0, bytes: bytes.subarray(0, first) })
    expect(lost.count()).toBe(1)
  } finally {
    lost.stop()
  }
  expect(await offsetOf(server, sender, location)).toBe(first)
  const checksum = createHash('sha256').update(bytes.subarray(first, second)).digest('base64')
  const headers = { 'upload-checksum': `sha256 ${checksum}` }
  const altered = randomBytes(second - first)
  for (const [part, status] of [
    [altered, 460],
    [bytes.subarray(first, second), 204],
  ] as const) {
    const answer = await sendPart(server, sender, location, { offset: first, bytes: part, headers })
    expect(answer).toMatchObject({ status })
  }
  await sendPart(server, sender, location, { offset: second, bytes: bytes.subarray(second) })
  await expectFile(await finish(server, sender, location), bytes)
})

it('leaves in the row of a finished upload no key of its file', async () => {
  const location = await beginUpload(server, sender, pdf().length)
  await sendPart(server, sender, location, { offset: 0, bytes: pdf() })
  await finish(server, sender, location)
  const upload = await server.ctx.db.selectFrom('uploads').selectAll().executeTakeFirstOrThrow()
  const media = await server.ctx.db.selectFrom('media').selectAll().executeTakeFirstOrThrow()
  const key = openUploadKey(server.ctx, upload)
  expect(key.bytes.equals(openKeyForWork(server.ctx, media).bytes)).toBe(false)
  expect(await requestProgress(server, sender, location)).toMatchObject({ status: 200 })
})

it('lets no program of before add to what it seals', async () => {
  const bytes = paddedPdf(MB)
  const location = await beginUpload(server, sender, bytes.length)
  const add = server.ctx.pool.query(`
    with moved as (update uploads set received_bytes = 70000 returning id)
    insert into upload_pieces (upload_id, start_byte, size_bytes, storage_key)
    select id, 0, 70000, 'uploads/ab/ab' from moved`)
  await expect(add).rejects.toThrow('start_byte')
  expect(await offsetOf(server, sender, location)).toBe(0)
})

it('sends no byte of an upload at any address, open or finished', async () => {
  const bytes = pdf()
  const location = await beginUpload(server, sender, bytes.length)
  const unknown = await server.call('GET', '/api/uploads/00000000-0000-4000-8000-000000000000', {
    as: sender,
  })
  expect(unknown).toMatchObject({ status: 404, body: { code: 'not_found' } })
  async function expectNothingAt(url: string): Promise<void> {
    for (const as of [sender, undefined]) {
      const answer = await server.call('GET', url, { as })
      expect([answer.status, answer.text]).toEqual([unknown.status, unknown.text])
    }
  }
  await sendPart(server, sender, location, { offset: 0, bytes: bytes.subarray(0, 30) })
  await expectNothingAt(location)
  await sendPart(server, sender, location, { offset: 30, bytes: bytes.subarray(30) })
  await expectNothingAt(location)
  await finish(server, sender, location)
  await expectNothingAt(location)
  await expectNothingAt(`${location}/file`)
})

it('answers somebody else’s upload as a missing one, byte for byte', async () => {
  const bytes = pdf()
  const location = await beginUpload(server, sender, bytes.length)
  const stranger = await signedIn(server)
  for (const [theirs, nobodys] of [
    [location, '/api/uploads/00000000-0000-4000-8000-000000000000'],
    [location, '/api/uploads/not-an-id'],
  ] as const) {
    for (const request of [
      (url: string) => requestProgress(server, stranger, url),
      (url: string) => sendPart(server, stranger, url, { offset: 0, bytes }),
      (url: string) => abandon(server, stranger, url),
      (url: string) => finish(server, stranger, url),
    ]) {
      const [one, other] = [await request(theirs), await request(nobodys)]
      expect([one.status, one.text]).toEqual([404, other.text])
      expect(Object.keys(one.headers)).toEqual(Object.keys(other.headers))
    }
  }
  expect((await server.call('GET', '/api/uploads', { as: stranger })).body).toEqual({ uploads: [] })
  expect(await offsetOf(server, sender, location)).toBe(0)
})

it('rejects a visitor, and the rest of a part whose session has ended', async () => {
  const bytes = await toneAudio('wav', 20)
  expect(await requestUpload(server, undefined, 10)).toMatchObject({ status: 401 })
  const person = await signedIn(server)
  const location = await beginUpload(server, person, bytes.length)
  for (const answer of [
    await requestProgress(server, undefined, location),
    await sendPart(server, undefined, location, { offset: 0, bytes }),
    await abandon(server, undefined, location),
    await finish(server, undefined, location),
  ]) {
    expect(answer.status).toBe(401)
  }
  const { storage } = server.ctx
  const put = storage.put.bind(storage)
  const writing = vi.spyOn(storage, 'put').mockImplementationOnce(async (...parameters) => {
    const stored = await put(...parameters)
    await server.call('POST', '/api/auth/logout', { as: person })
    return stored
  })
  const part = { offset: 0, bytes }
  expect(await sendPart(server, person, location, part)).toMatchObject({ status: 401 })
  writing.mockRestore()
  const { rows } = await server.ctx.pool.query('select received_bytes from uploads')
  expect(rows).toEqual([{ received_bytes: 0 }])
  expect(await countStoredFiles(server)).toBe(0)
})

it('stores a part with a checksum whole and right, or not at all', async () => {
  const bytes = pdf()
  const location = await beginUpload(server, sender, bytes.length)
  const digest = createHash('sha256').update(bytes).digest('base64')
  const send = (sent: Buffer, checksum: string) =>
    sendPart(server, sender, location, {
      offset: 0,
      bytes: sent,
      headers: { 'upload-checksum': checksum },
    })
  const altered = Buffer.from(bytes)
  altered[10] = (altered[10] ?? 0) ^ 1
  expect(await send(altered, `sha256 ${digest}`)).toMatchObject({
    status: 460,
    body: { code: 'upload_altered' },
  })
  for (const unknown of ['sha1 qqqq', 'sha256 abc', `md5 ${digest}`]) {
    expect(await send(bytes, unknown)).toMatchObject({ status: 400 })
  }
  expect(await offsetOf(server, sender, location)).toBe(0)
  expect(await countStoredFiles(server)).toBe(0)
  expect(await send(bytes, `sha256 ${digest}`)).toMatchObject({ status: 204 })
  expect(await offsetOf(server, sender, location)).toBe(bytes.length)
})

it('stores a part with a checksum as one piece on however slow a line; one without in several', async () => {
  const bytes = randomBytes(4 * MB)
  const location = await beginUpload(server, sender, bytes.length)
  // Eleven seconds pass between two reads of the clock.
  let time = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
    time += 11_000
    return time
  })
  try {
    for (const [offset, isChecked] of [
      [0, true],
      [2 * MB, false],
    ] as const) {
      const half = bytes.subarray(offset, offset + 2 * MB)
      const sum = createHash('sha256').update(half).digest('base64')
      const answer = await sendPart(clientOf(origin), sender, location, {
        offset,
        bytes: half,
        ...(isChecked && { headers: { 'upload-checksum': `sha256 ${sum}` } }),
      })
      expect(answer).toMatchObject({ status: 204 })
    }
  } finally {
    clock.mockRestore()
  }
  const { rows } = await server.ctx.pool.query(
    'select first_byte::float as start, size_bytes::float as size from upload_pieces order by 1',
  )
  expect(rows[0]).toEqual({ start: 0, size: 2 * MB })
  expect(rows.length).toBeGreaterThan(2)
})

it('leaves nothing of a part that is cut before its checksum, or too long for one', async () => {
  const bytes = randomBytes(17 * MB)
  const location = await beginUpload(server, sender, bytes.length)
  const checksum = `sha256 ${createHash('sha256').update(bytes).digest('base64')}`
  const headers = { 'upload-checksum': checksum }
  const answer = await sendPart(server, sender, location, { offset: 0, bytes, headers })
  expect(answer).toMatchObject({ status: 413, body: { code: 'body_too_large' } })
  expect(await offsetOf(server, sender, location)).toBe(0)
})

it('rejects a part that begins elsewhere or goes beyond the end', async () => {
  const bytes = pdf()
  const location = await beginUpload(server, sender, bytes.length)
  const moved = await sendPart(server, sender, location, { offset: 5, bytes: bytes.subarray(5) })
  expect(moved).toMatchObject({ status: 409, body: { code: 'upload_moved_on' } })
  const long = Buffer.concat([bytes, Buffer.from('x')])
  const beyond = await sendPart(server, sender, location, { offset: 0, bytes: long })
  expect(beyond).toMatchObject({ status: 413, body: { code: 'body_too_large' } })
  const nowhere = await sendPart(server, sender, location, {
    offset: 0,
    bytes,
    headers: { 'upload-offset': '-1' },
  })
  expect(nowhere).toMatchObject({ status: 400 })
  expect(await offsetOf(server, sender, location)).toBe(0)
})

it('stores one of two simultaneous parts for the same place, and the file is right', async () => {
  const bytes = await toneAudio('wav', 20)
  const location = await beginUpload(server, sender, bytes.length)
  const network = clientOf(origin)
  const send = () => sendPart(network, sender, location, { offset: 0, bytes })
  const statuses = (await Promise.all([send(), send()])).map(({ status }) => status)
  expect(statuses.sort()).toEqual([204, 409])
  expect(await countStoredFiles(server)).toBe(1)
  await expectFile(await finish(server, sender, location), bytes)
})

it('stores a part for one place in one of two programs', async () => {
  const bytes = pdf()
  const location = await beginUpload(server, sender, bytes.length)
  const other = await createApi(server.ctx)
  try {
    const there = clientOf(await other.listen({ host: '127.0.0.1', port: 0 }))
    const { storage } = server.ctx
    const put = storage.put.bind(storage)
    const writing = vi.spyOn(storage, 'put').mockImplementationOnce(async (...parameters) => {
      const stored = await put(...parameters)
      expect(await sendPart(there, sender, location, { offset: 0, bytes })).toMatchObject({
        status: 204,
      })
      return stored
    })
    const late = await sendPart(server, sender, location, { offset: 0, bytes })
    writing.mockRestore()
    expect(late).toMatchObject({ status: 409, body: { code: 'upload_moved_on' } })
  } finally {
    await other.close()
  }
  expect(await countRows('upload_pieces')).toBe(1)
  expect(await countStoredFiles(server)).toBe(1)
})

it('receives one part of an upload at a time, and cuts a hanging one', async () => {
  const bytes = await toneAudio('wav', 5)
  const location = await beginUpload(server, sender, bytes.length)
  const writing = vi.spyOn(server.ctx.storage, 'put')
  const hung = openPart(origin, sender.token, location, { offset: 0, length: bytes.length })
  await hung.send(bytes.subarray(0, 1_000))
  await expect.poll(() => writing.mock.calls).toHaveLength(1)
  writing.mockRestore()
  const next = openPart(origin, sender.token, location, { offset: 0, length: bytes.length })
  await next.send(bytes.subarray(0, 10))
  expect(await next.answer).toMatchObject({ status: 409 })
  await sendRest(location, bytes)
  const { body } = await finish(server, sender, location)
  expect(sha256Of(await served(body.url))).toBe(sha256Of(bytes))
})

it('receives four parts of a person at once, and rejects the fifth before it is read', async () => {
  const bytes = pdf()
  const begin = () => beginUpload(server, sender, bytes.length)
  const parts = []
  for (let n = 0; n < 4; n += 1) {
    const part = openPart(origin, sender.token, await begin(), { offset: 0, length: bytes.length })
    await part.send(bytes.subarray(0, 10))
    parts.push(part)
  }
  const fifth = await begin()
  // What begins elsewhere moves nothing, if it should come before the four.
  const request = (offset: number) => sendPart(server, sender, fifth, { offset, bytes })
  await expect.poll(async () => (await request(1)).status).toBe(429)
  expect((await request(0)).body).toMatchObject({ code: 'too_many_requests' })
  for (const part of parts) {
    await part.send(bytes.subarray(10))
    part.end()
    expect(await part.answer).toMatchObject({ status: 204 })
  }
  expect(await request(0)).toMatchObject({ status: 204 })
})

it('finishes two files of a person at once, and the others right after', async () => {
  const locations: string[] = []
  for (let n = 0; n < 5; n += 1) {
    const location = await beginUpload(server, sender, pdf().length)
    await sendPart(server, sender, location, { offset: 0, bytes: pdf() })
    locations.push(location)
  }
  const { storage } = server.ctx
  const compose = storage.compose.bind(storage)
  let atOnce = 0
  let most = 0
  const { promise: two, resolve: twoAreThere } = Promise.withResolvers<void>()
  const writing = vi.spyOn(storage, 'compose').mockImplementation(async (...parameters) => {
    atOnce += 1
    most = Math.max(most, atOnce)
    if (atOnce === 2) twoAreThere()
    await two
    return compose(...parameters).finally(() => {
      atOnce -= 1
    })
  })
  try {
    const answers = await Promise.all(locations.map((one) => finish(server, sender, one)))
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201])
  } finally {
    writing.mockRestore()
  }
  expect(most).toBe(2)
})

it.each([
  ['629145601', 413, 'file_too_large', 'Fichier trop volumineux (601 MB). Maximum autorisé: 600MB'],
  ['0', 400, 'invalid_file', 'Fichier invalide'],
  ['', 400, 'invalid_input', 'La taille du fichier manque'],
  ['-3', 400, 'invalid_input', 'La taille du fichier manque'],
  ['1e3', 400, 'invalid_input', 'La taille du fichier manque'],
])('rejects a length of %j with %i', async (length, status, code, error) => {
  const answer = await requestUpload(server, sender, length)
  expect(answer).toMatchObject({ status, body: { code, error } })
  await expectNothingStored()
})

it('answers a client without tus, or of another version, with ours', async () => {
  const headers = { 'upload-length': '10' }
  for (const version of ['', '0.2.2']) {
    const answer = await server.call('POST', '/api/uploads', {
      as: sender,
      headers: { ...headers, 'tus-resumable': version },
    })
    expect(answer).toMatchObject({
      status: 412,
      headers: { 'tus-version': '1.0.0' },
      body: { code: 'unsupported_version' },
    })
  }
  for (const url of ['/api/uploads', '/api/uploads/00000000-0000-4000-8000-000000000000']) {
    expect(await server.call('OPTIONS', url)).toMatchObject({
      status: 204,
      headers: {
        'tus-version': '1.0.0',
        'tus-extension': 'creation,expiration,termination,checksum',
        'tus-checksum-algorithm': 'sha256',
        'tus-max-size': '629145600',
      },
    })
  }
})

it('rejects to finish an incomplete file, and a part without its headers', async () => {
  const location = await beginUpload(server, sender, 1_000)
  expect(await finish(server, sender, location)).toMatchObject({
    status: 409,
    body: { code: 'upload_incomplete' },
  })
  const answer = await server.call('PATCH', location, {
    as: sender,
    body: { a: 1 },
    headers: { ...TUS, 'upload-offset': '0' },
  })
  expect(answer).toMatchObject({ status: 415, body: { code: 'unsupported_type' } })
})

it('rejects an unsupported file at its end, and leaves nothing', async () => {
  const half = (await colourVideo({ seconds: 3 })).subarray(0, 9_000)
  for (const [bytes, wish, code] of [
    [Buffer.from('rien de connu'), {}, 'unsupported_type'],
    [half, { folder: 'videos' }, 'invalid_file'],
  ] as const) {
    const answer = await uploadInParts(server, sender, bytes, { wish })
    expect(answer.body).toMatchObject({ code })
    await expectNothingStored()
  }
})

it('leaves a file finished for the wrong folder, and finishes it for the right one', async () => {
  const location = await beginUpload(server, sender, pdf().length)
  await sendPart(server, sender, location, { offset: 0, bytes: pdf() })
  expect(await finish(server, sender, location, { folder: 'videos' })).toMatchObject({
    status: 415,
    body: { code: 'unsupported_type' },
  })
  expect(await countRows('media')).toBe(0)
  expect(await finish(server, sender, location, { folder: 'documents' })).toMatchObject({
    status: 201,
  })
})

it('answers not_found when an upload is deleted while it is being finished', async () => {
  const bytes = await toneAudio('wav', 30)
  const location = await beginUpload(server, sender, bytes.length)
  for (const [from, to] of [
    [0, 1_000],
    [1_000, bytes.length],
  ] as const) {
    await sendPart(server, sender, location, { offset: from, bytes: bytes.subarray(from, to) })
  }
  const { storage } = server.ctx
  const get = storage.get.bind(storage)
  const reading = vi.spyOn(storage, 'get').mockImplementationOnce(async (...parameters) => {
    const first = await get(...parameters)
    await abandon(server, sender, location)
    await server.runJobs()
    return first
  })
  try {
    expect(await finish(server, sender, location)).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    })
  } finally {
    reading.mockRestore()
  }
  await expectNothingStored()
})

it('rejects a teaser that does not fit, and accepts another without the film sent again', async () => {
  const bytes = await colourVideo({ seconds: 4 })
  const location = await beginUpload(server, sender, bytes.length)
  await sendPart(server, sender, location, { offset: 0, bytes })
  for (const window of [
    { teaserStart: 2, teaserEnd: 6 },
    { teaserStart: 2 },
    { teaserStart: 0, teaserEnd: 0.5 },
  ]) {
    const refused = await finish(server, sender, location, { folder: 'videos', ...window })
    expect(refused).toMatchObject({
      status: 400,
      body: { fields: { teaserEnd: expect.any(String) } },
    })
  }
  const accepted = await finish(server, sender, location, { teaserStart: 1, teaserEnd: 3 })
  expect(accepted).toMatchObject({ status: 201, body: { processing: { totalJobs: 3 } } })
})

it('answers the whole file of a commit whose answer was lost', async () => {
  const bytes = await toneAudio('wav', 5)
  const location = await beginUpload(server, sender, bytes.length)
  await sendPart(server, sender, location, { offset: 0, bytes })
  const lost = loseAnswer('commit', 'update "uploads" set "media_id"')
  try {
    const answer = await finish(server, sender, location)
    expect(lost.count()).toBe(1)
    expect(answer).toMatchObject({ status: 201 })
    expect(sha256Of(await served(answer.body.url))).toBe(sha256Of(bytes))
  } finally {
    lost.stop()
  }
  expect(await countRows('media')).toBe(1)
})

it.each<[string, { ffprobePath?: string; prefix?: string[] }]>([
  ['is not there', { ffprobePath: '/nonexistent/ffprobe' }],
  ['cannot be run', { ffprobePath: '/' }],
  ['may not run', { prefix: ['setpriv', '--no-such-option', '--'] }],
  ['gets no network', { prefix: ['nsenter', '--net=/nonexistent', '--'] }],
  ['is killed', { prefix: ['timeout', '--signal=KILL', '0.001'] }],
])('leaves an upload after a tool that %s', async (_what, { prefix, ...paths }) => {
  const bytes = await toneAudio('wav', 2)
  const location = await beginUpload(server, sender, bytes.length)
  await sendPart(server, sender, location, { offset: 0, bytes })
  const { tools } = server.ctx
  server.ctx.tools = {
    ...tools,
    ...paths,
    ...(prefix && { confinement: { prefix, addressOf: (url: string) => url } }),
  }
  try {
    const answer = await finish(server, sender, location)
    expect(answer).toMatchObject({ status: 500, body: { code: 'unexpected' } })
  } finally {
    server.ctx.tools = tools
  }
  expect(await countRows('media')).toBe(0)
  expect(await finish(server, sender, location)).toMatchObject({ status: 201 })
})

it('opens no piece in the place of another', async () => {
  const bytes = paddedPdf(3 * MB)
  const location = await beginUpload(server, sender, bytes.length)
  for (const offset of [0, MB, 2 * MB]) {
    const part = { offset, bytes: bytes.subarray(offset, offset + MB) }
    await sendPart(server, sender, location, part)
  }
  // Both are beyond what the type of the file is detected by.
  await server.ctx.pool.query(`
    update upload_pieces set storage_key = others.storage_key || 'x' from upload_pieces as others
    where others.first_byte <> upload_pieces.first_byte
    and others.first_byte > 0 and upload_pieces.first_byte > 0`)
  await server.ctx.pool.query(`update upload_pieces set storage_key = rtrim(storage_key, 'x')`)
  expect(await finish(server, sender, location)).toMatchObject({
    status: 500,
    body: { code: 'unexpected' },
  })
  expect(await countRows('media')).toBe(0)
  expect(await offsetOf(server, sender, location)).toBe(bytes.length)
})
