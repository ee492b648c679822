import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPage } from '#testing/event-page.ts'
import { createRevelation } from '#testing/factories.ts'
import { colourVideo, pdf, picture, toneAudio } from '#testing/media-files.ts'
import {
  PASSWORD,
  type Person,
  signedIn,
  startTestServer,
  type TestApp,
} from '#testing/test-server.ts'
import { uploadFile } from '#testing/uploads.ts'

const NEW_PASSWORD = 'un tout autre mot'

let server: TestApp
let origin: string
let person: Person
const ids: string[] = []

beforeAll(async () => {
  server = await startTestServer()
  origin = await server.listen()
  person = await signedIn(server)
  const video = await colourVideo({ seconds: 3, fps: 10, size: '64x36' })
  const window = { teaser_start: 0.5, teaser_end: 1.5 }
  for (const file of [
    { bytes: video, name: 'film.mp4', teaser: window },
    { bytes: await picture('jpeg'), name: 'photo.jpg', teaser: {} },
    { bytes: await toneAudio('mp3', 2), name: 'voix.mp3', teaser: {} },
    { bytes: pdf(), name: 'acte.pdf', teaser: {} },
  ]) {
    const { url } = await uploadFile(server, person, file)
    const { id } = await createRevelation(server, person, { file_url: url, ...file.teaser })
    ids.push(id)
  }
  await server.runJobs()
})
afterAll(() => server.close())

/** Another device of the same person. */
async function signInAgain(password: string): Promise<Person> {
  const body = { email: person.email, password }
  return { ...person, token: (await server.call('POST', '/api/auth/login', { body })).body.token }
}

/** Every address with a ticket in the pages of this session. */
async function ticketsOf(as: Person): Promise<string[]> {
  const urls: string[] = []
  for (const id of ids) {
    const { text } = await server.call('GET', `/api/revelations/${id}`, { as })
    urls.push(...(text.match(/\/api\/[^"]+\?token=[^"]+/g) ?? []))
  }
  const unused = await uploadFile(server, as, { bytes: pdf(), name: 'brouillon.pdf' })
  const preview = JSON.stringify(unused).match(/\/api\/[^"]+\?token=[^"]+/)?.[0]
  return [...new Set(preview ? [...urls, preview] : urls)]
}

/** As a player asks: with the ticket alone. */
async function statusesOf(urls: readonly string[]): Promise<number[]> {
  const answers = await Promise.all(urls.map((url) => server.call('GET', url)))
  return [...new Set(answers.map(({ status }) => status))]
}

const DOORS = [
  '/api/secure-file/videos/',
  '/api/secure-file/videos/mobile_',
  '/api/secure-file/images/',
  '/api/secure-file/audio/',
  '/api/secure-file/documents/',
  '/api/secure-file/teasers/',
  '/api/thumbnail/teaser_',
  '/api/thumbnail/',
  '/api/audio/',
  '/api/revelations/video-stream-edit/',
]

describe('a session that ends with a password', () => {
  it('opens nothing any more, not even with tickets of its pages; the session of the call continues', async () => {
    const other = await signInAgain(PASSWORD)
    const [mine, theirs] = [await ticketsOf(person), await ticketsOf(other)]
    for (const door of DOORS) expect(theirs.some((url) => url.startsWith(door))).toBe(true)
    expect(await statusesOf([...mine, ...theirs])).toEqual([200])
    const page = await openPage(origin, other, ids)

    const body = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }
    await server.call('PUT', '/api/auth/change-password', { as: person, body })

    for (const status of await statusesOf(theirs)) expect([403, 404]).toContain(status)
    expect((await server.call('GET', '/api/auth/profile', { as: other })).status).toBe(401)
    expect((await server.call('GET', '/api/events', { as: other })).status).toBe(401)
    await page.ended
    expect(await statusesOf(mine)).toEqual([200])
  })

  it('is every session, after a reset of the password', async () => {
    const tickets = await ticketsOf(person)
    const page = await openPage(origin, person, ids)
    await server.call('POST', '/api/auth/forgot-password', { body: { email: person.email } })
    await server.runJobs()
    const token = /#jeton=([\w-]+)/.exec(server.mailbox.lastTo(person.email)?.text ?? '')?.[1]
    const body = { token, password: PASSWORD }
    expect((await server.call('POST', '/api/auth/reset-password', { body })).status).toBe(200)
    for (const status of await statusesOf(tickets)) expect([403, 404]).toContain(status)
    await page.ended
    expect((await server.call('GET', '/api/auth/profile', { as: person })).status).toBe(401)
  })

  it('is every session of an account that is deleted', async () => {
    const as = await signInAgain(PASSWORD)
    const tickets = await ticketsOf(as)
    expect(await statusesOf(tickets)).toEqual([200])
    const body = { password: PASSWORD }
    expect((await server.call('DELETE', '/api/auth/account', { as, body })).status).toBe(200)
    for (const status of await statusesOf(tickets)) expect([403, 404]).toContain(status)
  })
})
