import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { publishRelationshipsChanged } from '#server/platform/pubsub/pubsub.ts'
import { type EventPage, openPage } from '#testing/event-page.ts'
import {
  A_DAY_MS,
  createRevelation,
  relate,
  revelationBody,
  verifyEmail,
} from '#testing/factories.ts'
import { picture } from '#testing/media-files.ts'
import {
  PASSWORD,
  type Person,
  signedIn,
  startTestServer,
  type TestApp,
} from '#testing/test-server.ts'
import { uploadFile } from '#testing/uploads.ts'

let server: TestApp
let origin: string
let author: Person
let reader: Person
let id: string
const pages: EventPage[] = []

beforeAll(async () => {
  server = await startTestServer()
  origin = await server.listen()
  reader = await signedIn(server)
})
afterAll(() => server.close())
beforeEach(async () => {
  for (const page of pages.splice(0)) page.leave()
  author = await signedIn(server)
  id = (await createRevelation(server, author)).id
})

async function open(as: Person, watch: readonly string[] = []): Promise<EventPage> {
  const page = await openPage(origin, as, watch)
  pages.push(page)
  // What the test prepared may still be on its way.
  await receivedBy(page, as)
  page.clear()
  return page
}

/** All changes received until now: what was published before has arrived once this event has. */
async function receivedBy(page: EventPage, person: Person) {
  publishRelationshipsChanged(server.ctx, [person.id])
  await page.next(({ name }) => name === 'relationships')
  return page.events.filter(({ name }) => name === 'revelation').map(({ data }) => data)
}

function react(as: Person, to = id) {
  return server.call('POST', '/api/reactions', { as, body: { revelation_id: to, emoji: '❤️' } })
}

function comment(as: Person, content: string, to = id) {
  return server.call('POST', '/api/comments', { as, body: { revelation_id: to, content } })
}

describe('GET /api/events', () => {
  it('rejects visitors and ended sessions', async () => {
    const visitor = await server.call('GET', '/api/events')
    expect([visitor.status, visitor.body.code]).toEqual([401, 'unauthenticated'])
    const gone = await signedIn(server)
    await server.call('POST', '/api/auth/logout', { as: gone })
    expect((await server.call('GET', '/api/events', { as: gone })).status).toBe(401)
  })

  it('rejects what is no list of ids', async () => {
    for (const watch of ['rien', `${id},`, `${id};${id}`, '------------------------------------']) {
      const { status, body } = await server.call('GET', `/api/events?watch=${watch}`, {
        as: reader,
      })
      expect([status, body.error]).toEqual([400, 'Les révélations à suivre ne sont pas valides'])
    }
  })

  it('answers with the headers of a stream that nothing stores', async () => {
    const leaving = new AbortController()
    const response = await fetch(`${origin}/api/events`, {
      headers: { authorization: `Bearer ${reader.token}` },
      signal: leaving.signal,
    })
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'private, no-store, no-transform',
      'x-content-type-options': 'nosniff',
    })
    leaving.abort()
  })

  it('sends the counts of a watched revelation, and no text', async () => {
    const page = await open(reader, [id.toUpperCase()])
    await react(author)
    await comment(author, 'Un secret de commentaire')
    const received = await receivedBy(page, reader)
    expect(received.at(-1)).toMatchObject({ id, reactions_count: 1, comments_count: 1 })
    expect(new Set(received.flatMap(({ changed }) => changed))).toEqual(
      new Set(['reactions', 'comments']),
    )
    expect(JSON.stringify(page.events)).not.toContain('secret')
  })

  it('sends authors the changes of their own, watched or not', async () => {
    const page = await open(author)
    await comment(reader, 'Bonjour')
    expect(await page.next(({ name }) => name === 'revelation')).toEqual({
      name: 'revelation',
      data: { id, changed: ['comments'], reactions_count: 0, comments_count: 1 },
    })
  })

  it('sends nothing when a repeated request changes nothing', async () => {
    await react(reader)
    const page = await open(author)
    await react(reader)
    expect(await receivedBy(page, author)).toEqual([])
  })

  it('sends a reveal at its instant', async () => {
    const page = await open(reader, [id])
    server.clock.advance(A_DAY_MS)
    expect((await page.next(({ name }) => name === 'revelation')).data).toMatchObject({
      id,
      changed: ['state'],
    })
  })

  it('sends edits and deletions', async () => {
    const [mine, theirs] = [await open(author), await open(reader, [id])]
    const body = { title: 'Un autre titre' }
    await server.call('PUT', `/api/revelations/${id}`, { as: author, body })
    expect(await receivedBy(theirs, reader)).toMatchObject([{ id, changed: ['state'] }])
    await server.call('DELETE', `/api/revelations/${id}`, { as: author })
    for (const [page, person] of [
      [mine, author],
      [theirs, reader],
    ] as const) {
      expect((await receivedBy(page, person)).at(-1)).toEqual({ id, changed: ['state'] })
    }
    const { id: created } = await createRevelation(server, author)
    expect((await receivedBy(mine, author)).at(-1)).toMatchObject({
      id: created,
      changed: ['state'],
    })
  })

  it('sends the progress of a file to its author alone', async () => {
    const { url } = await uploadFile(server, author, { bytes: await picture('png') })
    const { id: withFile } = await createRevelation(server, author, { file_url: url })
    const [mine, theirs] = [await open(author), await open(reader, [withFile])]
    await server.runJobs()
    // Of its light variant, and of the copy for others, if that did not end with it.
    const received = await receivedBy(mine, author)
    expect(received).not.toEqual([])
    for (const one of received) expect(one).toMatchObject({ id: withFile, changed: ['state'] })
    expect(await receivedBy(theirs, reader)).toEqual([])
  })

  it('sends the progress of the delivery to its author alone', async () => {
    const early = await open(reader, [id])
    server.clock.advance(A_DAY_MS)
    await early.next(({ name }) => name === 'revelation')
    const [mine, theirs] = [await open(author), await open(reader, [id])]
    await server.runJobs()
    expect(await receivedBy(mine, author)).toMatchObject([{ id, changed: ['state'] }])
    expect(await receivedBy(theirs, reader)).toEqual([])
  })

  it('sends nothing of an edit that was rejected', async () => {
    const page = await open(author)
    const body = revelationBody(server, { reveal_date: '2020-01-01' })
    expect((await server.call('PUT', `/api/revelations/${id}`, { as: author, body })).status).toBe(
      400,
    )
    expect(await receivedBy(page, author)).toEqual([])
  })
})

describe('a page whose viewer may not see a revelation', () => {
  it('receives nothing of it, whatever it watches', async () => {
    const hidden = await createRevelation(server, author, { visibility: 'friends' })
    const friend = await signedIn(server)
    await relate(server, author, friend, 'friend')
    const [theirs, strangers] = [await open(friend, [hidden.id]), await open(reader, [hidden.id])]
    await react(author, hidden.id)
    await comment(friend, 'Entre amis', hidden.id)
    await theirs.next(({ name }) => name === 'revelation')
    await server.call('DELETE', `/api/revelations/${hidden.id}`, { as: author })
    expect(await receivedBy(strangers, reader)).toEqual([])
  })

  it('receives, for a recipient who is not notified, the reveal and nothing before', async () => {
    const email = reader.email
    await verifyEmail(server, reader)
    const hidden = await createRevelation(server, author, {
      visibility: 'private',
      target_email: email,
    })
    const page = await open(reader, [hidden.id])
    await react(author, hidden.id)
    expect(await receivedBy(page, reader)).toEqual([])
    server.clock.advance(A_DAY_MS)
    const { data } = await page.next(({ name }) => name === 'revelation')
    expect(data).toMatchObject({ id: hidden.id, changed: ['state'] })
  })

  it('receives one change when the audience is narrowed, then nothing', async () => {
    const page = await open(reader, [id])
    const body = { visibility: 'family' }
    await server.call('PUT', `/api/revelations/${id}`, { as: author, body })
    expect(await receivedBy(page, reader)).toEqual([{ id, changed: ['state'] }])
    await react(author)
    await server.call('DELETE', `/api/revelations/${id}`, { as: author })
    expect(await receivedBy(page, reader)).toHaveLength(1)
  })

  it('receives nothing once one blocked the other', async () => {
    const other = await signedIn(server)
    const page = await open(other, [id])
    await server.call('PUT', `/api/relationships/blocks/${other.id}`, { as: author })
    await receivedBy(page, other)
    await react(author)
    await server.call('DELETE', `/api/revelations/${id}`, { as: author })
    expect(await receivedBy(page, other)).toEqual([])
  })
})

describe('a session with streams', () => {
  it('ends with its own streams alone', async () => {
    const person = await signedIn(server)
    const { body } = await server.call('POST', '/api/auth/login', {
      body: { email: person.email, password: PASSWORD },
    })
    const other = { ...person, token: body.token }
    const [first, second] = [await open(person), await open(other)]
    await server.call('POST', '/api/auth/logout', { as: person })
    await first.ended
    expect(await receivedBy(second, other)).toEqual([])
  })

  it('ends its streams when it is ended elsewhere or by a new password', async () => {
    const person = await signedIn(server)
    const login = { email: person.email, password: PASSWORD }
    const { body } = await server.call('POST', '/api/auth/login', { body: login })
    const other = { ...person, token: body.token }
    const page = await open(person)
    const { sessions } = (await server.call('GET', '/api/auth/sessions', { as: other })).body
    const elsewhere = sessions.find(({ is_current }: { is_current: boolean }) => !is_current)
    await server.call('DELETE', `/api/auth/sessions/${elsewhere.id}`, { as: other })
    await page.ended

    const third = (await server.call('POST', '/api/auth/login', { body: login })).body.token
    const [current, lost] = [await open({ ...person, token: third }), await open(other)]
    await server.call('PUT', '/api/auth/change-password', {
      as: { ...person, token: third },
      body: { currentPassword: login.password, newPassword: 'un autre mot de passe' },
    })
    await lost.ended
    expect(await receivedBy(current, person)).toEqual([])
  })

  it('receives nothing after an end that no event announced, and its stream ends', async () => {
    const person = await signedIn(server)
    const page = await open(person, [id])
    await server.ctx.db.deleteFrom('sessions').where('userId', '=', person.id).execute()
    await react(author)
    await page.ended
    expect(page.events).toEqual([])
  })

  it('has at most five streams, the latest', async () => {
    const person = await signedIn(server)
    const opened = [await open(person)]
    for (let more = 0; more < 5; more += 1) opened.push(await open(person))
    await opened[0]?.ended
    for (const page of opened.slice(1)) expect(await receivedBy(page, person)).toEqual([])
  })
})
