import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  databaseFiles,
  filesIn,
  formsOfText,
  type Haystack,
  piecesOf,
  search,
  tablesOf,
} from '#testing/canary.ts'
import { keyHeaders, sealDelivered, verifiedPerson } from '#testing/factories.ts'
import { toneAudio } from '#testing/media-files.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'
import { countStoredFiles, sendFile } from '#testing/uploads.ts'

/** What nothing but the reply, its voice and what was written back holds. */
const WORDS = { reply: 'Flavescence', answer: 'Brasillant', name: 'Ondoyance', tag: 'Chantourné' }
const TITLE = 'Ce titre n’est pas un secret'
const ADDRESS = 'lectrice@exemple.test'

const startedAt = new Date(Date.now() - 1000)
const log: string[] = []
let server: TestApp
let author: Person
let letter: { id: string; replyId: string; key: string }
let voice: Buffer
/** What strangers are answered, before the reply and after it. */
const answers: { before: string[]; after: string[] } = { before: [], after: [] }

beforeAll(async () => {
  server = await startTestServer({ log: { write: (line: string) => void log.push(line) } })
  author = await verifiedPerson(server)
  const sealed = { title: TITLE, target_email: ADDRESS, visibility: 'public' as const }
  const { id, key } = await sealDelivered(server, author, sealed)
  const stranger = await signedIn(server)
  answers.before = await askAsOthers(id, stranger)
  const headers = keyHeaders(key)
  const tags = ['-metadata', `title=${WORDS.tag}`]
  voice = await toneAudio('webm', 2, tags)
  const file = { bytes: voice, name: `${WORDS.name}.webm` }
  const sent = await sendFile(server, undefined, file, headers)
  const url = `/api/revelations/${id}/replies`
  const body = { content: `${WORDS.reply} !`, emoji: '🎉', file_url: sent.body.url }
  const added = await server.call('POST', url, { headers, body })
  const replyId = added.body.reply.id
  await server.runJobs()
  const answer = { content: `${WORDS.answer}.` }
  await server.call('POST', `${url}/${replyId}/answer`, { as: author, body: answer })
  await server.runJobs()
  letter = { id, replyId, key }
  answers.after = await askAsOthers(id, stranger)
})
afterAll(() => server.close())

async function askAsOthers(id: string, stranger: Person): Promise<string[]> {
  const texts: string[] = []
  for (const as of [stranger, undefined]) {
    for (const path of [
      `/api/revelations/${id}`,
      `/api/revelations/${id}/replies`,
      `/api/comments/${id}`,
      `/api/revelations/user/${author.id}`,
      `/api/auth/user/${author.id}`,
    ]) {
      texts.push((await server.call('GET', path, { as })).text)
    }
  }
  // Tickets and instants are new each time.
  return texts.map((text) => text.replaceAll(/token=[\w.-]+/g, ''))
}

function needles() {
  return [...Object.values(WORDS).flatMap(formsOfText), ...piecesOf('the voice', voice)]
}

async function everywhere(): Promise<Haystack[]> {
  return [
    { name: 'the log', bytes: Buffer.from(log.join('')) },
    { name: 'the mails', bytes: Buffer.from(JSON.stringify(server.mailbox.all)) },
    { name: 'what others are answered', bytes: Buffer.from(answers.after.join('')) },
    ...(await filesIn(server.ctx.config.dataDir)),
    ...(await tablesOf(server.ctx.db)),
  ]
}

it('shows a reply to its writer and to the author, and the search finds what it looks for', async () => {
  const headers = keyHeaders(letter.key)
  for (const options of [{ as: author }, { headers }]) {
    const { body, text } = await server.call(
      'GET',
      `/api/revelations/${letter.id}/replies`,
      options,
    )
    expect(text).toContain(WORDS.reply)
    expect(text).toContain(WORDS.answer)
    const heard = await server.app.inject({ url: body.replies[0].audio_url })
    expect(heard.rawPayload.subarray(4, 8).toString()).toBe('ftyp')
  }
  const places = search(await everywhere(), formsOfText(TITLE).slice(0, 1)).join()
  for (const place of ['the mails', 'what others are answered', 'table public.revelations']) {
    expect(places).toContain(place)
  }
  const mails = server.mailbox.all.filter(({ subject }) => subject.includes('vous a répondu'))
  expect(mails.map(({ to }) => to)).toEqual([author.email, ADDRESS])
})

it('puts no word or voice of a reply into DATA_DIR, database, log, mails or answers to others', async () => {
  expect(search(await everywhere(), needles())).toEqual([])
  const files = await databaseFiles(server.ctx.db, startedAt)
  const plain = needles().filter(({ name }) => !name.includes(', '))
  expect(search(files, plain)).toEqual([])
})

it('answers others about the letter as before the reply', () => {
  expect(answers.after).toEqual(answers.before)
})

it('deletes a reply with its letter, bytes and keys', async () => {
  await server.call('DELETE', `/api/revelations/${letter.id}`, { as: author })
  await server.runJobs()
  const { rows } = await server.ctx.pool.query(
    'select (select count(*) from replies)::integer as replies, (select count(*) from media)::integer as media',
  )
  expect(rows).toEqual([{ replies: 0, media: 0 }])
  expect(await countStoredFiles(server)).toBe(0)
})
