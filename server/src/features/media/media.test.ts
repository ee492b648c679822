import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { inTransaction } from '#server/context.ts'
import { createRevelation, revelationBody } from '#testing/factories.ts'
import { colourVideo, pagelessPdf, pdf, picture, toneAudio } from '#testing/media-files.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'
import { countStoredFiles, findFilesWith, sendFile, uploadFile } from '#testing/uploads.ts'
import { storageUsedBy } from './quota.service.ts'

let server: TestApp
let author: Person
let stranger: Person

beforeAll(async () => {
  server = await startTestServer()
  author = await signedIn(server)
  stranger = await signedIn(server)
})
afterAll(() => server.close())

function seal(as: Person, file_url: unknown, more: object = {}) {
  return server.call('POST', '/api/revelations', {
    as,
    body: revelationBody(server, { file_url, ...more }),
  })
}

const REFUSED = { status: 400, body: { fields: { file_url: 'Fichier invalide' } } }

it('accepts a file for one revelation of its sender, and nothing else as a file', async () => {
  const { url, path } = await uploadFile(server, author, { bytes: pdf() })
  expect(await seal(stranger, url)).toMatchObject(REFUSED)
  for (const other of [
    `https://ailleurs.test${url}`,
    `../${path}`,
    path.replace('documents', 'videos'),
    path.replace('.pdf', '.mp4'),
    `documents/${randomUUID()}.pdf`,
    '/etc/passwd',
    `${path}\u0000`,
    'x',
  ]) {
    expect([other, await seal(author, other)]).toMatchObject([other, REFUSED])
  }
  expect((await seal(author, url)).status).toBe(201)
  expect(await seal(author, url)).toMatchObject(REFUSED)
})

it('lets one of two simultaneous revelations claim a file', async () => {
  const person = await signedIn(server)
  const { url } = await uploadFile(server, person, { bytes: pdf() })
  const answers = await Promise.all([seal(person, url), seal(person, url), seal(person, url)])
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400])
})

it('leaves a file through edits that name it, whatever ticket its address bears', async () => {
  const person = await signedIn(server)
  const { url } = await uploadFile(server, person, { bytes: pdf(), name: 'a.pdf' })
  const { id, file_url } = await createRevelation(server, person, { file_url: url })
  const edit = (file: string | null) =>
    server.call('PUT', `/api/revelations/${id}`, { as: person, body: { file_url: file } })
  const same = await edit(file_url)
  expect(same).toMatchObject({ status: 200, body: { revelation: { file_name: 'a.pdf' } } })
  const next = await uploadFile(server, person, { bytes: pdf(), name: 'b.pdf' })
  const replaced = await edit(next.url)
  expect(replaced.body.revelation.file_name).toBe('b.pdf')
  expect((await server.app.inject(file_url)).statusCode).toBe(404)
  const removed = await edit(null)
  expect(removed.body.revelation).toMatchObject({ file_url: null, file_type: null })
  await server.runJobs()
  const { rows } = await server.ctx.pool.query('select 1 from media where owner_id = $1', [
    person.id,
  ])
  expect(rows).toEqual([])
})

it('deletes own unused files, and finds no others', async () => {
  const person = await signedIn(server)
  const remove = (as: Person | undefined, path: string) =>
    server.call('DELETE', '/api/delete', { as, body: { path } })
  const free = await uploadFile(server, person, { bytes: pagelessPdf() })
  const used = await uploadFile(server, person, { bytes: pagelessPdf() })
  await seal(person, used.url)
  const before = await countStoredFiles(server)
  expect((await remove(undefined, free.path)).status).toBe(401)
  for (const path of [
    used.path,
    '../keys/master.key',
    `${free.path}/../${used.path}`,
    `videos/${free.filename}`,
    `documents/${randomUUID()}.pdf`,
    '',
  ]) {
    expect([path, await remove(person, path)]).toMatchObject([path, { status: 404 }])
  }
  expect(await remove(stranger, free.path)).toMatchObject({ status: 404 })
  expect(await remove(person, free.url)).toMatchObject({ status: 200, body: { success: true } })
  expect((await server.app.inject(free.url)).statusCode).toBe(404)
  expect(await remove(person, free.path)).toMatchObject({ status: 404 })
  await server.runJobs()
  expect(await countStoredFiles(server)).toBeLessThan(before)
  expect(await storageUsedBy(server.ctx, person.id)).toBe(used.size)
})

it('shows the steps of a file to its sender alone', async () => {
  const person = await signedIn(server)
  const { processing } = await uploadFile(server, person, { bytes: await picture('png') })
  const { jobId } = processing.jobs[0]
  const status = (as: Person | undefined, id: string) =>
    server.call('GET', `/api/jobs/status/${id}`, { as })
  expect(await status(person, jobId)).toMatchObject({
    status: 200,
    body: { jobId, status: 'processing', progress: 0, error: null },
  })
  expect((await status(undefined, jobId)).status).toBe(401)
  const absent = await status(stranger, randomUUID())
  expect(absent).toMatchObject({ status: 404, body: { code: 'not_found' } })
  for (const id of ['1', `${jobId}%00`, "'"]) {
    expect((await status(person, id)).status).toBe(404)
  }
  expect((await status(stranger, jobId)).text).toBe(absent.text)
  await server.runJobs()
  const unknown = randomUUID()
  const jobIds = [unknown, jobId, 'x']
  const batch = await server.call('POST', '/api/jobs/batch-status', {
    as: person,
    body: { jobIds },
  })
  expect(batch.body.results).toEqual([
    { jobId: unknown, status: 'not_found' },
    { jobId, status: 'completed', progress: 100, error: null },
    { jobId: 'x', status: 'not_found' },
  ])
  const foreign = await server.call('POST', '/api/jobs/batch-status', {
    as: stranger,
    body: { jobIds: [jobId] },
  })
  expect(foreign.body.results).toEqual([{ jobId, status: 'not_found' }])
  const stats = await server.call('GET', '/api/jobs/stats', { as: person })
  expect(stats.body).toEqual({ processing: 0, completed: 2, failed: 0 })
  expect((await server.call('GET', '/api/jobs/stats', { as: stranger })).body).toEqual({
    processing: 0,
    completed: 0,
    failed: 0,
  })
})

it('leaves no word of a file, its name or its bytes on the disk or in the database', async () => {
  const person = await signedIn(server)
  const secret = 'Perroquet-Violet-42'
  const tagged = await colourVideo({ seconds: 2, extra: ['-metadata', `title=${secret}`] })
  expect(tagged.includes(secret)).toBe(true)
  const paper = Buffer.concat([pdf(), Buffer.from(`% ${secret}\n`)])
  const files = [
    { bytes: tagged, name: `${secret}.mp4`, fields: { teaserData: '0|1' } },
    { bytes: paper, name: `${secret}.pdf` },
    { bytes: await toneAudio('mp3', 2, ['-metadata', `title=${secret}`]), name: `${secret}.mp3` },
  ]
  for (const file of files) await uploadFile(server, person, file)
  await sendFile(server, person, { bytes: paper.subarray(1), name: `${secret}.bin` })
  await server.runJobs()
  expect(await findFilesWith(server.ctx.config.dataDir, Buffer.from(secret))).toEqual([])
  for (const { bytes } of files) {
    const middle = bytes.subarray(bytes.length / 2, bytes.length / 2 + 24)
    expect(await findFilesWith(server.ctx.config.dataDir, middle)).toEqual([])
  }
  expect(await dumpDatabase()).not.toContain(secret)
})

/** Every row of every table, as text; bytes as they are. */
async function dumpDatabase(): Promise<string> {
  const { pool } = server.ctx
  const tables = await pool.query(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  )
  const parts: string[] = []
  for (const { name } of tables.rows) {
    const { rows } = await pool.query(`select * from ${name}`)
    for (const row of rows) {
      for (const value of Object.values(row)) {
        parts.push(Buffer.isBuffer(value) ? value.toString('latin1') : JSON.stringify(value))
      }
    }
  }
  return parts.join('\n')
}

it('frees a file when the transaction that claimed it fails', async () => {
  const person = await signedIn(server)
  const { url } = await uploadFile(server, person, { bytes: await colourVideo({ seconds: 2 }) })
  const refused = await seal(person, url, { teaser_start: 0, teaser_end: 9 })
  expect(refused).toMatchObject({
    status: 400,
    body: { fields: { teaser_end: 'L’extrait dépasse la fin de la vidéo' } },
  })
  await expect(
    inTransaction(server.ctx, async () => Promise.reject(new Error('stop'))),
  ).rejects.toThrow('stop')
  expect((await seal(person, url, { teaser_start: 0, teaser_end: 2 })).status).toBe(201)
})
