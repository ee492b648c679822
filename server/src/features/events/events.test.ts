import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { publishRelationshipsChanged } from '#server/platform/pubsub/pubsub.ts'
import { type EventPage, openPage } from '#testing/event-page.ts'
import { A_DAY_MS, createRevelation, relate, revelationBody } from '#testing/factories.ts'
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
  await heardBy(page, as)
  page.clear()
  return page
}

/** Everything heard until now: what was published before has arrived once this has. */
async function heardBy(page: EventPage, person: Person) {
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

describe('the stream', () => {
  it('is for who is signed in', async () => {
    const visitor = await server.call('GET', '/api/events')
    expect([visitor.status, visitor.body.code]).toEqual([401, 'unauthenticated'])
    const gone = await signedIn(server)
    await server.call('POST', '/api/auth/logout', { as: gone })
    expect((await server.call('GET', '/api/events', { as: gone })).status).toBe(401)
  })

  it('refuses to watch what is no id', async () => {
    for (const watch of ['rien', `${id},`, `${id};${id}`, '------------------------------------']) {
      const { status, body } = await server.call('GET', `/api/events?watch=${watch}`, {
        as: reader,
      })
      expect([status, body.error]).toEqual([400, 'Les révélations à suivre ne sont pas valides'])
    }
  })

  it('answers with the headers of a stream nobody keeps', async () => {
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

  it('tells counts of what happens to a watched revelation, and nothing of what was written', async () => {
    const page = await open(reader, [id.toUpperCase()])
    await react(author)
    await comment(author, 'Un secret de commentaire')
    const heard = await heardBy(page, reader)
    expect(heard.at(-1)).toMatchObject({ id, reactions_count: 1, comments_count: 1 })
    expect(new Set(heard.flatMap(({ changed }) => changed))).toEqual(
      new Set(['reactions', 'comments']),
    )
    expect(JSON.stringify(page.events)).not.toContain('secret')
  })

  it('tells an author of their own, watched or not', async () => {
    const page = await open(author)
    await comment(reader, 'Bonjour')
    expect(await page.next(({ name }) => name === 'revelation')).toEqual({
      name: 'revelation',
      data: { id, changed: ['comments'], reactions_count: 0, comments_count: 1 },
    })
  })

  it('is silent when a request that is sent again changes nothing', async () => {
    await react(reader)
    const page = await open(author)
    await react(reader)
    expect(await heardBy(page, author)).toEqual([])
  })

  it('tells of a reveal at its instant', async () => {
    const page = await open(reader, [id])
    server.clock.advance(A_DAY_MS)
    expect((await page.next(({ name }) => name === 'revelation')).data).toMatchObject({
      id,
      changed: ['state'],
    })
  })

  it('tells of edits and of the end', async () => {
    const [mine, theirs] = [await open(author), await open(reader, [id])]
    const body = { title: 'Un autre titre' }
    await server.call('PUT', `/api/revelations/${id}`, { as: author, body })
    expect(await heardBy(theirs, reader)).toMatchObject([{ id, changed: ['state'] }])
    await server.call('DELETE', `/api/revelations/${id}`, { as: author })
    for (const [page, person] of [
      [mine, author],
      [theirs, reader],
    ] as const) {
      expect((await heardBy(page, person)).at(-1)).toEqual({ id, changed: ['state'] })
    }
    const { id: created } = await createRevelation(server, author)
    expect((await heardBy(mine, author)).at(-1)).toMatchObject({ id: created, changed: ['state'] })
  })

  it('tells an author, and nobody else, how a file is coming on', async () => {
    const { url } = await uploadFile(server, author, { bytes: await picture('png') })
    const { id: withFile } = await createRevelation(server, author, { file_url: url })
    const [mine, theirs] = [await open(author), await open(reader, [withFile])]
    await server.runJobs()
    expect(await heardBy(mine, author)).toMatchObject([{ id: withFile, changed: ['state'] }])
    expect(await heardBy(theirs, reader)).toEqual([])
  })

  it('tells an author, and nobody else, what became of the delivery', async () => {
    const early = await open(reader, [id])
    server.clock.advance(A_DAY_MS)
    await early.next(({ name }) => name === 'revelation')
    const [mine, theirs] = [await open(author), await open(reader, [id])]
    await server.runJobs()
    expect(await heardBy(mine, author)).toMatchObject([{ id, changed: ['state'] }])
    expect(await heardBy(theirs, reader)).toEqual([])
  })

  it('says nothing of an edit that was refused', async () => {
    const page = await open(author)
    const body = revelationBody(server, { reveal_date: '2020-01-01' })
    expect((await server.call('PUT', `/api/revelations/${id}`, { as: author, body })).status).toBe(
      400,
    )
    expect(await heardBy(page, author)).toEqual([])
  })
})

describe('who may not know of a revelation', () => {
  it('hears nothing of it, whatever they ask to watch', async () => {
    const hidden = await createRevelation(server, author, { visibility: 'friends' })
    const friend = await signedIn(server)
    await relate(server, author, friend, 'friend')
    const [theirs, strangers] = [await open(friend, [hidden.id]), await open(reader, [hidden.id])]
    await react(author, hidden.id)
    await comment(friend, 'Entre amis', hidden.id)
    await theirs.next(({ name }) => name === 'revelation')
    await server.call('DELETE', `/api/revelations/${hidden.id}`, { as: author })
    expect(await heardBy(strangers, reader)).toEqual([])
  })

  it('hears, as an addressee who was not told, of its reveal and of nothing before', async () => {
    const email = reader.email
    await server.ctx.db
      .updateTable('users')
      .set({ emailVerifiedAt: server.ctx.now() })
      .where('id', '=', reader.id)
      .execute()
    const hidden = await createRevelation(server, author, {
      visibility: 'private',
      target_email: email,
    })
    const page = await open(reader, [hidden.id])
    await react(author, hidden.id)
    expect(await heardBy(page, reader)).toEqual([])
    server.clock.advance(A_DAY_MS)
    const { data } = await page.next(({ name }) => name === 'revelation')
    expect(data).toMatchObject({ id: hidden.id, changed: ['state'] })
  })

  it('hears once that it has to look again when the audience is narrowed, then nothing more', async () => {
    const page = await open(reader, [id])
    const body = { visibility: 'family' }
    await server.call('PUT', `/api/revelations/${id}`, { as: author, body })
    expect(await heardBy(page, reader)).toEqual([{ id, changed: ['state'] }])
    await react(author)
    await server.call('DELETE', `/api/revelations/${id}`, { as: author })
    expect(await heardBy(page, reader)).toHaveLength(1)
  })

  it('hears nothing more once one blocked the other', async () => {
    const other = await signedIn(server)
    const page = await open(other, [id])
    await server.call('PUT', `/api/relationships/blocks/${other.id}`, { as: author })
    await heardBy(page, other)
    await react(author)
    await server.call('DELETE', `/api/revelations/${id}`, { as: author })
    expect(await heardBy(page, other)).toEqual([])
  })
})

describe('a session', () => {
  it('ends with its streams, and no other', async () => {
    const person = await signedIn(server)
    const { body } = await server.call('POST', '/api/auth/login', {
      body: { email: person.email, password: PASSWORD },
    })
    const other = { ...person, token: body.token }
    const [first, second] = [await open(person), await open(other)]
    await server.call('POST', '/api/auth/logout', { as: person })
    await first.ended
    expect(await heardBy(second, other)).toEqual([])
  })

  it('ended elsewhere, or by a new password, ends its streams too', async () => {
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
    const [kept, lost] = [await open({ ...person, token: third }), await open(other)]
    await server.call('PUT', '/api/auth/change-password', {
      as: { ...person, token: third },
      body: { currentPassword: login.password, newPassword: 'un autre mot de passe' },
    })
    await lost.ended
    expect(await heardBy(kept, person)).toEqual([])
  })

  it('that ended unheard gets nothing more, and its stream ends', async () => {
    const person = await signedIn(server)
    const page = await open(person, [id])
    await server.ctx.db.deleteFrom('sessions').where('userId', '=', person.id).execute()
    await react(author)
    await page.ended
    expect(page.events).toEqual([])
  })

  it('keeps its five latest streams', async () => {
    const person = await signedIn(server)
    const opened = [await open(person)]
    for (let more = 0; more < 5; more += 1) opened.push(await open(person))
    await opened[0]?.ended
    for (const page of opened.slice(1)) expect(await heardBy(page, person)).toEqual([])
  })
})
