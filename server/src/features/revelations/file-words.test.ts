import { afterAll, beforeAll, expect, it } from 'vitest'
import { A_DAY_MS, createRevelation, revelationBody } from '#testing/factories.ts'
import { colourVideo, pdf, toneAudio } from '#testing/media-files.ts'
import { readZip } from '#testing/read-zip.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'
import { uploadFile } from '#testing/uploads.ts'

const START = new Date('2026-11-20T12:00:00.000Z')
const CAPTIONS = 'WEBVTT\n\n00:00.000 --> 00:01.000\nLe cerisier a dix ans.'
const WORDS = 'Le cerisier a dix ans, et toi aussi.'
let server: TestApp
let author: Person
let film: Buffer
let recording: Buffer

beforeAll(async () => {
  server = await startTestServer({ now: START })
  author = await signedIn(server)
  const plan = { userId: author.id, plan: 'unlimited' as const }
  await server.ctx.db.insertInto('subscriptions').values(plan).execute()
  ;[film, recording] = await Promise.all([colourVideo({ seconds: 1 }), toneAudio('mp3', 1)])
})
afterAll(() => server.close())

async function sealWith(bytes: Buffer, file_words: string) {
  const { url } = await uploadFile(server, author, { bytes })
  return createRevelation(server, author, { file_url: url, file_words })
}

async function wordsSeen(id: string, as?: Person): Promise<unknown> {
  return (await server.call('GET', `/api/revelations/${id}`, { as })).body.revelation.file_words
}

function put(id: string, body: object) {
  return server.call('PUT', `/api/revelations/${id}`, { as: author, body })
}

it('shows file words to the author alone before the reveal, then to everybody, and never in a list', async () => {
  const { id } = await sealWith(film, CAPTIONS)
  expect(await wordsSeen(id, author)).toBe(CAPTIONS)
  expect(await wordsSeen(id)).toBeUndefined()
  server.clock.advance(2 * A_DAY_MS)
  expect(await wordsSeen(id)).toBe(CAPTIONS)
  const { body } = await server.call('GET', '/api/revelations', {})
  expect(body.revelations[0]).toMatchObject({ id, content: expect.any(String) })
  expect(body.revelations[0]).not.toHaveProperty('file_words')
  server.clock.now = START
})

it('includes file words in the archive that a reader downloads', async () => {
  const { id } = await sealWith(recording, WORDS)
  server.clock.advance(2 * A_DAY_MS)
  const { body } = await server.call('POST', `/api/revelations/${id}/archive`, { as: author })
  const files = readZip((await server.app.inject(body.url)).rawPayload)
  for (const name of ['lettre.html', 'lettre.txt']) {
    expect(files.get(name)?.toString()).toContain(WORDS)
  }
  server.clock.now = START
})

it('stores file words encrypted', async () => {
  await sealWith(recording, WORDS)
  const { rows } = await server.ctx.pool.query(
    'select sealed_file_words from revelations where sealed_file_words is not null',
  )
  expect(rows.length).toBeGreaterThan(0)
  for (const row of rows) expect(row.sealed_file_words.includes('cerisier')).toBe(false)
})

it('changes file words without a new version, keeps them through one, and deletes them with the file', async () => {
  const { id } = await sealWith(recording, WORDS)
  const other = await put(id, { file_words: 'Autrement dit.' })
  expect(other.body.revelation).toMatchObject({ version: 1, file_words: 'Autrement dit.' })
  const again = await put(id, { title: 'Un autre titre' })
  expect(again.body.revelation).toMatchObject({ version: 2, file_words: 'Autrement dit.' })
  const none = await put(id, { file_url: null })
  expect(none.body.revelation).toMatchObject({ version: 3, file_words: null })
})

it('rejects a change of file words once the letter is open', async () => {
  const { id } = await sealWith(recording, WORDS)
  server.clock.advance(2 * A_DAY_MS)
  expect(await put(id, { file_words: 'Après coup.' })).toMatchObject({ status: 409 })
  expect(await put(id, { file_words: WORDS })).toMatchObject({ status: 200 })
  server.clock.now = START
})

it.each([
  ['no file at all', undefined, WORDS, 'Joignez d’abord une vidéo ou un enregistrement'],
  ['a document', () => pdf(), WORDS, 'Joignez d’abord une vidéo ou un enregistrement'],
  ['a film', () => film, WORDS, 'Ces sous-titres ne sont pas au format WebVTT'],
  ['a film', () => film, 'WEBVTT\n\nrien', 'Ces sous-titres ne sont pas au format WebVTT'],
])('rejects file words with %s', async (_, bytesOf, file_words, sentence) => {
  const file = bytesOf && (await uploadFile(server, author, { bytes: bytesOf() }))
  const body = revelationBody(server, { ...(file && { file_url: file.url }), file_words })
  const answer = await server.call('POST', '/api/revelations', { as: author, body })
  expect(answer).toMatchObject({ status: 400, body: { fields: { file_words: sentence } } })
})
