import { execFileSync } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import net from 'node:net'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { verifyEmail } from '#testing/factories.ts'
import { colourVideo, pdf, picture, toneAudio } from '#testing/media-files.ts'
import { abandon, beginUpload, offsetOf, sendPart } from '#testing/resumable-uploads.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'
import {
  countStoredFiles,
  sendFile,
  streamUpload,
  uploadFile,
  uploadForm,
} from '#testing/uploads.ts'

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

async function expectNothingStored(): Promise<void> {
  expect(await countRows()).toBe(0)
  expect(await countStoredFiles(server)).toBe(0)
}

async function subscribe(person: Person, plan: string): Promise<void> {
  await verifyEmail(server, person)
  await server.ctx.db
    .insertInto('subscriptions')
    .values({ userId: person.id, plan, expiresAt: null })
    .execute()
}

it('rejects declared 601 MB before the transfer', async () => {
  const { headers, before } = uploadForm({ folder: 'videos', name: 'long.mp4' })
  const answer = await streamUpload(
    origin,
    sender,
    { ...headers, 'content-length': String(601 * MB + 500) },
    [before],
  )
  expect(answer).toMatchObject({
    status: 413,
    body: {
      code: 'file_too_large',
      error: 'Fichier trop volumineux (601 MB). Maximum autorisé: 600MB',
    },
  })
  await expectNothingStored()
})

it('rejects undeclared 601 MB at the 600th, and leaves nothing', async () => {
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
  const answer = await streamUpload(origin, person, headers, body())
  expect(answer).toMatchObject({ status: 413, body: { code: 'file_too_large' } })
  expect(answer.body.error).toContain('Taille maximum: 600MB')
  await expectNothingStored()
})

it('rejects a picture beyond 100 MB, since it is decoded from memory', async () => {
  const person = await signedIn(server)
  const { headers, before, after } = uploadForm({ folder: 'images', name: 'photo.png' })
  const head = await picture('png')
  async function* body() {
    yield before
    yield head
    const zeros = Buffer.alloc(MB)
    for (let sent = 0; sent < 101; sent += 1) yield zeros
    yield after
  }
  const answer = await streamUpload(origin, person, headers, body())
  expect(answer).toMatchObject({ status: 413, body: { code: 'file_too_large' } })
  expect(answer.body.error).toContain('100MB')
  await expectNothingStored()
})

it('answers a full disk as such, leaves nothing, and accepts the next file that fits', async (context) => {
  const folder = path.join(server.ctx.config.dataDir, 'files')
  const options = ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder]
  try {
    execFileSync('mount', options, { stdio: 'ignore' })
  } catch {
    context.skip('mounting a small disk is not permitted here')
  }
  try {
    await mkdir(path.join(folder, '.drafts'))
    const bytes = await toneAudio('wav', 40)
    const location = await beginUpload(server, sender, bytes.length)
    for (const answer of [
      await sendFile(server, sender, { bytes }),
      await sendPart(server, sender, location, { offset: 0, bytes }),
    ]) {
      expect(answer).toMatchObject({
        status: 507,
        body: { code: 'disk_full', error: expect.stringContaining('manque de place') },
      })
    }
    expect(await offsetOf(server, sender, location)).toBe(0)
    await abandon(server, sender, location)
    await expectNothingStored()
    await uploadFile(server, sender, { bytes: pdf(), folder: 'documents' })
  } finally {
    execFileSync('umount', [folder])
  }
})

it('leaves nothing of an upload cut in the middle', async () => {
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

it('rejects a form that ends in the middle of its file', async () => {
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
  await expectNothingStored()
})

it('receives two uploads at once per person, and rejects the third', async () => {
  const bytes = await toneAudio('wav', 20)
  const { headers, before, after } = uploadForm({ folder: 'audio' })
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const transfers = gates.map(({ promise }) =>
    streamUpload(
      origin,
      sender,
      headers,
      (async function* () {
        yield Buffer.concat([before, bytes.subarray(0, 600_000)])
        await promise
        yield Buffer.concat([bytes.subarray(600_000), after])
      })(),
    ),
  )
  await expect.poll(countRows).toBe(2)
  const third = await sendFile(server, sender, { bytes: pdf(), folder: 'documents' })
  expect(third).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
  expect(Number(third.headers['retry-after'])).toBeGreaterThan(0)
  const other = await signedIn(server)
  await uploadFile(server, other, { bytes: pdf(), folder: 'documents' })
  for (const gate of gates) gate.resolve()
  expect((await Promise.all(transfers)).map(({ status }) => status)).toEqual([201, 201])
  await uploadFile(server, sender, { bytes: pdf(), folder: 'documents' })
})

/** Fills a person's plan but for a few bytes, without the bytes. */
async function fillPlan(person: Person, leftBytes: number): Promise<void> {
  await verifyEmail(server, person)
  const { path } = await uploadFile(server, person, { bytes: pdf(), folder: 'documents' })
  await server.ctx.db
    .updateTable('media')
    .set({ sizeBytes: 500 * MB - leftBytes })
    .where('id', '=', path.slice('documents/'.length, -'.pdf'.length))
    .execute()
}

it('rejects a file beyond the plan with what is left, before the transfer when its size is declared', async () => {
  const person = await signedIn(server)
  await fillPlan(person, 150_000)
  const bytes = await toneAudio('wav', 20)
  const declared = await sendFile(server, person, { bytes, folder: 'audio' })
  const { headers, before, after } = uploadForm({ folder: 'audio' })
  const chunked = await streamUpload(origin, person, headers, [before, bytes, after])
  for (const answer of [declared, chunked]) {
    expect(answer).toMatchObject({ status: 413, body: { code: 'quota_exceeded' } })
    expect(answer.body.error).toContain('(0,1\u00A0Mo)')
  }
  expect(await countRows()).toBe(1)
  expect(await countStoredFiles(server)).toBe(1)
})

it('accepts a file that fits to the byte, and nothing after it', async () => {
  const person = await signedIn(server)
  const bytes = pdf()
  await fillPlan(person, bytes.length)
  await uploadFile(server, person, { bytes, folder: 'documents' })
  const answer = await sendFile(server, person, { bytes, folder: 'documents' })
  expect(answer).toMatchObject({ status: 413, body: { code: 'quota_exceeded' } })
})

it('never exceeds the quota by ten uploads in parallel', async () => {
  const person = await signedIn(server)
  const bytes = await toneAudio('wav', 2)
  await fillPlan(person, Math.floor(bytes.length * 1.5))
  const { headers, before, after } = uploadForm({ folder: 'audio' })
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      n % 2
        ? sendFile(server, person, { bytes, folder: 'audio' })
        : streamUpload(origin, person, headers, [before, bytes, after]),
    ),
  )
  const accepted = answers.filter(({ status }) => status === 201)
  expect(accepted.length).toBeLessThanOrEqual(1)
  for (const { status } of answers) expect([201, 413, 429]).toContain(status)
  const { rows } = await server.ctx.pool.query(
    'select sum(size_bytes)::float as used, count(*) as n from media',
  )
  expect(rows[0].used).toBeLessThanOrEqual(500 * MB)
  expect(rows[0].n).toBe(1 + accepted.length)
  expect(await countStoredFiles(server)).toBe(1 + accepted.length)
})
