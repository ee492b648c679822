import { Readable } from 'node:stream'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { A_DAY_MS, AN_HOUR_MS, verifiedPerson } from '#testing/factories.ts'
import { clientOf } from '#testing/http-client.ts'
import { paddedPdf, pagelessPdf, pdf } from '#testing/media-files.ts'
import {
  abandon,
  beginUpload,
  finish,
  openPart,
  requestProgress,
  requestUpload,
  sendPart,
  uploadInParts,
} from '#testing/resumable-uploads.ts'
import {
  PASSWORD,
  type Person,
  signedIn,
  startTestServer,
  type TestApp,
} from '#testing/test-server.ts'
import { countStoredFiles, sendFile, uploadFile } from '#testing/uploads.ts'
import { storageUsedBy } from './quota.service.ts'

const MB = 1024 * 1024
const PLAN_BYTES = 500 * MB

let server: TestApp
let origin: string
let person: Person

beforeAll(async () => {
  server = await startTestServer()
  origin = await server.listen()
})
afterAll(() => server.close())
afterEach(async () => {
  await server.ctx.db.deleteFrom('uploads').execute()
  await server.ctx.db.deleteFrom('mediaSteps').execute()
  await server.ctx.db.deleteFrom('media').execute()
  for await (const { key } of server.ctx.storage.list('')) await server.ctx.storage.delete(key)
})

/** Somebody whose plan is full but for so many bytes. */
async function signedInWithRoom(leftBytes: number): Promise<Person> {
  const somebody = await verifiedPerson(server)
  const bytes = pagelessPdf()
  const { filename } = await uploadFile(server, somebody, { bytes, folder: 'documents' })
  await server.ctx.db
    .updateTable('media')
    .set({ sizeBytes: PLAN_BYTES - leftBytes, attachedAt: server.clock.now })
    .where('id', '=', filename.slice(0, 36))
    .execute()
  return somebody
}

function used(): Promise<number> {
  return storageUsedBy(server.ctx, person.id)
}

it('reserves the quota of the whole file from the first moment, and the file uses the same', async () => {
  person = await signedInWithRoom(10 * MB)
  const before = await used()
  const bytes = paddedPdf(4 * MB)
  const location = await beginUpload(server, person, bytes.length)
  expect((await used()) - before).toBe(bytes.length)
  await sendPart(server, person, location, { offset: 0, bytes })
  expect((await used()) - before).toBe(bytes.length)
  expect(await finish(server, person, location)).toMatchObject({ status: 201 })
  expect((await used()) - before).toBe(bytes.length)
  await server.runJobs()
  expect((await used()) - before).toBe(bytes.length)
})

it('rejects an upload that does not fit with what is left and the way out', async () => {
  person = await signedInWithRoom(Math.floor(98.49 * MB))
  const tooMuch = await requestUpload(server, person, 99 * MB)
  expect(tooMuch).toMatchObject({
    status: 413,
    body: {
      code: 'quota_exceeded',
      error:
        'Ce fichier dépasse l’espace qui vous reste (98,4\u00A0Mo). Supprimez un fichier ou changez de plan.',
    },
  })
  const open = await beginUpload(server, person, 98 * MB)
  for (const refused of [
    await requestUpload(server, person, MB),
    await sendFile(server, person, { bytes: paddedPdf(MB), folder: 'documents' }),
  ]) {
    expect(refused.body).toMatchObject({
      code: 'quota_exceeded',
      error: expect.stringContaining('(0,4\u00A0Mo). Terminez ou abandonnez un envoi en attente'),
    })
  }
  expect(await abandon(server, person, open)).toMatchObject({ status: 204 })
  expect(await requestUpload(server, person, 98 * MB)).toMatchObject({ status: 201 })
})

it('rejects an upload that no longer fits when it is finished, and leaves it until it fits again', async () => {
  person = await signedInWithRoom(10 * MB)
  const bytes = paddedPdf(4 * MB)
  const location = await beginUpload(server, person, bytes.length)
  await sendPart(server, person, location, { offset: 0, bytes })
  // Expired for an instant, it reserves nothing; another file uses its quota, and a last byte brings it back.
  const touch = (touchedAt: Date) => server.ctx.db.updateTable('uploads').set({ touchedAt })
  await touch(new Date(server.clock.now.getTime() - A_DAY_MS)).execute()
  const other = await beginUpload(server, person, 10 * MB)
  await touch(server.clock.now).execute()

  expect(await finish(server, person, location)).toMatchObject({
    status: 413,
    body: { code: 'quota_exceeded' },
  })
  await abandon(server, person, other)
  expect(await finish(server, person, location)).toMatchObject({ status: 201 })
  expect(await used()).toBe(PLAN_BYTES - 6 * MB)
})

it('never exceeds the quota by fifty uploads racing for the last 20 MB, by forms or in parts', async () => {
  const room = 20 * MB
  person = await signedInWithRoom(room)
  const bytes = paddedPdf(Math.floor(room / 14))
  const network = clientOf(origin)
  const seen: number[] = []
  async function inAForm(): Promise<boolean> {
    for (;;) {
      const { status, body } = await sendFile(network, person, { bytes, folder: 'documents' })
      seen.push(await used())
      if (status === 201) return true
      if (status === 413) return false
      // Two are under way already.
      expect([status, body.code]).toEqual([429, 'too_many_requests'])
    }
  }
  async function inParts(): Promise<boolean> {
    const created = await requestUpload(network, person, bytes.length)
    if (created.status !== 201) {
      expect(['quota_exceeded', 'too_many_uploads']).toContain(created.body.code)
      return false
    }
    const location = String(created.headers.location)
    for (;;) {
      const { status } = await sendPart(network, person, location, { offset: 0, bytes })
      if (status === 204) break
      // Four are under way already.
      expect(status).toBe(429)
    }
    expect(await finish(network, person, location)).toMatchObject({ status: 201 })
    return true
  }
  // Five send their forms one after the other; all twenty-five others are sent at once.
  const forms = Array.from({ length: 5 }, async () => {
    const accepted: boolean[] = []
    for (let n = 0; n < 5; n += 1) accepted.push(await inAForm())
    return accepted
  })
  const parts = Promise.all(Array.from({ length: 25 }, inParts))
  const tried = (await Promise.all([parts, ...forms])).flat()
  const accepted = tried.filter(Boolean).length
  const { rows } = await server.ctx.pool.query(
    'select sum(size_bytes)::float as bytes, count(*) as n from media where owner_id = $1',
    [person.id],
  )
  expect(rows[0]).toEqual({
    bytes: PLAN_BYTES - room + accepted * bytes.length,
    n: 1 + accepted,
  })
  expect(accepted * bytes.length).toBeLessThanOrEqual(room)
  expect(Math.max(...seen)).toBeLessThanOrEqual(PLAN_BYTES)
  expect(await used()).toBe(rows[0].bytes)
  // Nothing that fits was turned away for good.
  expect(accepted).toBe(14)
  await server.runJobs()
  expect(await countStoredFiles(server)).toBe(1 + accepted)
})

it('accepts ten open uploads, and the eleventh once one of them is over', async () => {
  person = await signedIn(server)
  const open: string[] = []
  for (let n = 0; n < 10; n += 1) open.push(await beginUpload(server, person, pdf().length))
  expect(await requestUpload(server, person, 10)).toMatchObject({
    status: 409,
    body: { code: 'too_many_uploads', error: expect.stringContaining('dix envois') },
  })
  const [first = '', second = ''] = open
  await abandon(server, person, first)
  open.push(await beginUpload(server, person, 10))
  await sendPart(server, person, second, { offset: 0, bytes: pdf() })
  await finish(server, person, second)
  await beginUpload(server, person, 10)
})

it('accepts forms while two uploads are being finished', async () => {
  person = await signedIn(server)
  const { storage } = server.ctx
  const compose = storage.compose.bind(storage)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const locations = [
    await beginUpload(server, person, pdf().length),
    await beginUpload(server, person, pdf().length),
  ]
  for (const each of locations) await sendPart(server, person, each, { offset: 0, bytes: pdf() })
  const writing = vi.spyOn(storage, 'compose').mockImplementation(async (...parameters) => {
    await released
    return compose(...parameters)
  })
  const making = Promise.all(locations.map((each) => finish(server, person, each)))
  await expect.poll(() => writing.mock.calls).toHaveLength(2)
  writing.mockRestore()
  const form = await sendFile(server, person, { bytes: pdf(), folder: 'documents' })
  release()
  expect(form).toMatchObject({ status: 201 })
  expect(await making).toMatchObject([{ status: 201 }, { status: 201 }])
})

it('lists an upload until it is a file', async () => {
  person = await signedIn(server)
  const bytes = pdf()
  const location = await beginUpload(server, person, bytes.length, { name: '../Été à la mer.pdf' })
  await sendPart(server, person, location, { offset: 0, bytes: bytes.subarray(0, 40) })
  const list = async () => (await server.call('GET', '/api/uploads', { as: person })).body.uploads
  expect(await list()).toEqual([
    {
      id: location.split('/').at(-1),
      name: 'Été à la mer.pdf',
      size: bytes.length,
      received: 40,
      expires_at: new Date(server.clock.now.getTime() + A_DAY_MS).toISOString(),
    },
  ])
  await sendPart(server, person, location, { offset: 40, bytes: bytes.subarray(40) })
  expect(await list()).toHaveLength(1)
  await finish(server, person, location)
  expect(await list()).toEqual([])
})

it('deletes an abandoned upload at once, bytes and quota, also in the middle of a part', async () => {
  person = await signedIn(server)
  const bytes = paddedPdf(3 * MB)
  const location = await beginUpload(server, person, bytes.length)
  const part = openPart(origin, person.token, location, { offset: 0, length: bytes.length })
  await part.send(bytes.subarray(0, MB))
  expect(await abandon(server, person, location)).toMatchObject({ status: 204 })
  expect(await used()).toBe(0)
  await part.send(bytes.subarray(MB))
  part.end()
  expect(await part.answer).toMatchObject({ status: 404 })
  expect(await abandon(server, person, location)).toMatchObject({ status: 404 })
  await server.runJobs()
  expect(await countStoredFiles(server)).toBe(0)
})

it('expires an upload after a day without a byte; a byte puts it off by a day', async () => {
  const start = server.clock.now
  person = await signedIn(server)
  const bytes = paddedPdf(MB)
  const location = await beginUpload(server, person, bytes.length)
  server.clock.advance(A_DAY_MS - 1_000)
  await server.runJobs()
  const middle = 100_000
  await sendPart(server, person, location, { offset: 0, bytes: bytes.subarray(0, middle) })
  server.clock.advance(A_DAY_MS - 1_000)
  await server.runJobs()
  expect(await requestProgress(server, person, location)).toMatchObject({ status: 200 })
  expect(await used()).toBe(bytes.length)
  expect(await countStoredFiles(server)).toBe(1)

  server.clock.advance(1_000)

  const part = { offset: middle, bytes: bytes.subarray(middle) }
  for (const answer of [
    await requestProgress(server, person, location),
    await sendPart(server, person, location, part),
    await finish(server, person, location),
  ]) {
    expect(answer.status).toBe(404)
  }
  expect(await used()).toBe(0)
  await server.runJobs()
  expect(await countStoredFiles(server)).toBe(0)
  expect(await server.ctx.db.selectFrom('uploads').selectAll().execute()).toEqual([])
  server.clock.now = start
})

it('sweeps the row of a finished upload, not its file', async () => {
  const start = server.clock.now
  person = await signedIn(server)
  const { body } = await uploadInParts(server, person, pdf())
  await server.ctx.db.updateTable('media').set({ attachedAt: start }).execute()
  server.clock.advance(A_DAY_MS)
  await server.runJobs()
  expect(await server.ctx.db.selectFrom('uploads').selectAll().execute()).toEqual([])
  const media = await server.ctx.db.selectFrom('media').select('id').execute()
  expect(media).toEqual([{ id: body.filename.slice(0, 36) }])
  server.clock.now = start
})

it('sweeps pieces without a row, but not while a row may come', async () => {
  const start = server.clock.now
  person = await signedIn(server)
  const location = await beginUpload(server, person, 200_000)
  await sendPart(server, person, location, { offset: 0, bytes: Buffer.alloc(100_000) })
  const key = `uploads/ab/ab${'0'.repeat(30)}`
  await server.ctx.storage.put(key, Readable.from([Buffer.from('orphelin')]))
  server.clock.now = new Date()
  await server.ctx.db.updateTable('uploads').set({ touchedAt: server.clock.now }).execute()
  await server.runJobs()
  expect(await countStoredFiles(server)).toBe(2)
  server.clock.advance(2 * AN_HOUR_MS)
  await server.runJobs()
  expect(await countStoredFiles(server)).toBe(1)
  expect(await server.ctx.storage.size(key)).toBeUndefined()
  server.clock.now = start
})

it('deletes the uploads of a deleted account, and stores no byte that still arrives', async () => {
  person = await signedIn(server)
  const bytes = paddedPdf(3 * MB)
  const whole = await beginUpload(server, person, bytes.length)
  await sendPart(server, person, whole, { offset: 0, bytes })
  const underWay = await beginUpload(server, person, bytes.length)
  const part = openPart(origin, person.token, underWay, { offset: 0, length: bytes.length })
  await part.send(bytes.subarray(0, MB))
  const body = { password: PASSWORD }
  const deleted = await server.call('DELETE', '/api/auth/account', { as: person, body })
  expect(deleted.status).toBe(200)
  expect(await server.ctx.db.selectFrom('uploads').selectAll().execute()).toEqual([])
  await part.send(bytes.subarray(MB))
  part.end()
  expect(await part.answer).toMatchObject({ status: 401 })
  await server.runJobs()
  expect(await countStoredFiles(server)).toBe(0)
})
