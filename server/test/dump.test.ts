import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { formsOfText, type Haystack, type Needle, search, tablesOf } from '#testing/canary.ts'
import { A_DAY_MS, createRevelation, relate, verifyEmail } from '#testing/factories.ts'
import { pdf } from '#testing/media-files.ts'
import { type Person, registered, startTestServer, type TestApp } from '#testing/test-server.ts'
import { uploadFile } from '#testing/uploads.ts'

const PASSWORDS = ['mot de passe de test', 'un tout autre mot', 'un mot qui est faux']

/** How a token stands in an answer, in the address of a page and in a header. */
const TOKEN = /(?:"token":"|[?#&](?:token|jeton|cle)=)([\w.~%-]{20,})/g

let server: TestApp
/** Every answer and mail that anybody received. */
const issued: string[] = []

beforeAll(async () => {
  server = await startTestServer()
  const call = server.call
  server.call = async (...request) => {
    const answer = await call(...request)
    issued.push(answer.text, JSON.stringify(answer.headers))
    return answer
  }
  await doEverythingThatHandsOutTokens()
})
afterAll(() => server.close())

function post(url: string, body: object, as?: Person) {
  return server.call('POST', url, { as, body })
}

async function doEverythingThatHandsOutTokens(): Promise<void> {
  const [person, friend] = [await registered(server), await registered(server)]
  for (const one of [person, friend]) await verifyEmail(server, one)
  await relate(server, person, friend, 'friend')
  const { url } = await uploadFile(server, person, { bytes: pdf(), name: 'acte.pdf' })
  const { id } = await createRevelation(server, person, { file_url: url, visibility: 'friends' })
  await post('/api/email/notify-revelation', { revelationId: id }, person)
  await server.call('GET', `/api/revelations/${id}`, { as: person })
  for (const password of PASSWORDS) await post('/api/auth/login', { email: person.email, password })
  await post('/api/auth/forgot-password', { email: person.email })
  const [current = '', next = ''] = PASSWORDS
  const address = { email: 'nouvelle.adresse@exemple.test', password: current }
  await post('/api/auth/change-email', address, person)
  await server.runJobs()
  const change = { currentPassword: current, newPassword: next }
  await server.call('PUT', '/api/auth/change-password', { as: person, body: change })
  server.clock.advance(A_DAY_MS)
  const content = 'Enfin, la voilà ouverte.'
  await post('/api/comments', { revelation_id: id, content }, friend)
  await server.runJobs()
  await server.call('GET', `/api/revelations/${id}`, { as: friend })
  issued.push(JSON.stringify(server.mailbox.all).replaceAll('\\"', '"'))
}

function tokens(): string[] {
  return [
    ...new Set(issued.flatMap((text) => [...text.matchAll(TOKEN)].map(([, token = '']) => token))),
  ]
}

/** As it is written, and as the bytes it stands for. */
function formsOfToken(token: string): Needle[] {
  const bytes = Buffer.from(token, 'base64url')
  const hex = bytes.toString('hex')
  return [
    ...formsOfText(token),
    { name: `${token}, its bytes`, bytes },
    { name: `${token}, its bytes in hexadecimal`, bytes: Buffer.from(hex) },
  ]
}

it('a dump of the database contains no token, link, key or password that was ever issued', async () => {
  const found = tokens()
  const places = issued.join('\n')
  for (const kind of ['"token":"', '?token=', '#jeton=', '#cle=']) expect(places).toContain(kind)
  expect(found.length).toBeGreaterThan(8)
  const dump = await tablesOf(server.ctx.db)
  const needles = [...found.flatMap(formsOfToken), ...PASSWORDS.flatMap(formsOfText)]
  expect(search(dump, needles)).toEqual([])
  console.info(`dump: ${found.length} tokens, ${needles.length} forms, ${dump.length} tables`)
})

it('a dump of the database contains their hashes, so the search finds what is there', async () => {
  const dump: Haystack[] = await tablesOf(server.ctx.db)
  const hashed = tokens().filter((token) => {
    const bytes = createHash('sha256').update(token).digest()
    return search(dump, [{ name: token, bytes }]).length > 0
  })
  // Sessions, links and personal keys; tickets and the links of footers are signed, and kept nowhere.
  expect(hashed.length).toBeGreaterThan(5)
})
