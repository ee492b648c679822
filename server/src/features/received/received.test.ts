import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  A_DAY_MS,
  AN_HOUR_MS,
  createRevelation,
  keyHeaders,
  type RevelationOverrides,
  relate,
  sealDelivered,
  sealPrivate,
  toAll,
  verifiedPerson,
  verifyEmail,
} from '#testing/factories.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'

let server: TestApp
let author: Person
let reader: Person

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  author = await signedIn(server)
  await server.ctx.db
    .insertInto('subscriptions')
    .values({ userId: author.id, plan: 'unlimited' })
    .execute()
  reader = await verifiedPerson(server)
})

interface Shown {
  id: string
  title: string
  content?: string
  received: {
    state: string
    since: string
    opened_at: string | null
    source: string
    is_answered: boolean
  }
}
interface Page {
  revelations: Shown[]
  next_cursor: string | null
  counts: { waiting: number; upcoming: number; opened: number }
}

async function received(query = '', as = reader): Promise<Page> {
  const { status, body } = await server.call('GET', `/api/revelations/received${query}`, { as })
  expect(status).toBe(200)
  return body
}

async function titles(query = '', as = reader): Promise<string[]> {
  return (await received(query, as)).revelations.map(({ title }) => title)
}

function inDays(days: number): string {
  return new Date(server.clock.now.getTime() + days * A_DAY_MS).toISOString()
}

async function seal(title: string, days: number, changes: RevelationOverrides = {}) {
  const target_email = changes.target_email ?? reader.email
  const overrides = { title, target_email, reveal_date: inDays(days), ...changes }
  return sealPrivate(server, author, overrides)
}

function announce(id: string, as = author) {
  return server.call('POST', '/api/email/notify-revelation', { as, body: { revelationId: id } })
}

function open(id: string, as = reader) {
  return server.call('POST', `/api/revelations/${id}/open`, { as })
}

describe('GET /api/revelations/received', () => {
  it('has what waits first, then what was announced, then what was opened', async () => {
    const announcedAt = server.clock.now.toISOString()
    const opened = [await seal('Ouverte avant', 1), await seal('Ouverte après', 2)]
    await seal('Attend depuis hier', 9)
    await seal('Attend depuis longtemps', 3)
    const sooner = await seal('Bientôt', 20, { visibility: 'friends' })
    const later = await seal('Plus tard', 30, { visibility: 'public' })
    for (const { id } of [later, sooner]) await announce(id)
    server.clock.advance(10 * A_DAY_MS)
    const openedAt: string[] = []
    for (const { id } of opened) {
      server.clock.advance(AN_HOUR_MS)
      openedAt.push((await open(id)).body.opened_at)
    }
    const { revelations, counts, next_cursor } = await received()
    expect(
      revelations.map(({ title, received }) => [title, received.state, received.opened_at]),
    ).toEqual([
      ['Attend depuis hier', 'waiting', null],
      ['Attend depuis longtemps', 'waiting', null],
      ['Bientôt', 'upcoming', null],
      ['Plus tard', 'upcoming', null],
      ['Ouverte après', 'opened', openedAt[1]],
      ['Ouverte avant', 'opened', openedAt[0]],
    ])
    expect([counts, next_cursor]).toEqual([{ waiting: 2, upcoming: 2, opened: 2 }, null])
    expect(revelations[2]?.received.since).toBe(announcedAt)
    expect(revelations[2]).not.toHaveProperty('content')
    expect(revelations[0]?.content).toBe('Il fera beau toute la journée.')
    expect(new Set(revelations.map(({ received }) => received.source))).toEqual(
      new Set(['address']),
    )
  })

  it('goes on from a cursor through every state, and narrows to one', async () => {
    for (const day of [1, 1, 2, 3]) await seal(`Attend ${day}`, day)
    const opened = await seal('Ouverte', 1)
    const announced = await seal('Annoncée', 9, { visibility: 'family' })
    await announce(announced.id)
    server.clock.advance(4 * A_DAY_MS)
    await open(opened.id)
    const whole = await titles()
    expect(whole).toHaveLength(6)
    const pages: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: Page = await received(`?limit=1${cursor && `&cursor=${cursor}`}`)
      pages.push(...page.revelations.map(({ title }) => title))
      expect(page.counts).toEqual({ waiting: 4, upcoming: 1, opened: 1 })
      cursor = page.next_cursor
    }
    expect(pages).toEqual(whole)
    expect(await titles('?state=upcoming')).toEqual(['Annoncée'])
    expect(await titles('?state=opened')).toEqual(['Ouverte'])
    expect(await titles('?state=waiting')).toEqual(whole.slice(0, 4))
    expect((await received('?state=opened')).counts.waiting).toBe(4)
    const wrong = await server.call('GET', '/api/revelations/received?cursor=abc', { as: reader })
    expect(wrong.status).toBe(400)
  })

  it('shows no surprise before its instant, not even one that everybody or a friend sees', async () => {
    await relate(server, author, reader, 'family')
    for (const visibility of ['public', 'friends', 'family', 'private'] as const) {
      await seal(`Surprise ${visibility}`, 1, { visibility })
    }
    const notified = await seal('Annoncée et personnelle', 1)
    await announce(notified.id)
    expect(await received()).toMatchObject({
      revelations: [],
      counts: { waiting: 0, upcoming: 0, opened: 0 },
    })
    server.clock.advance(A_DAY_MS - 1)
    expect((await received()).counts).toEqual({ waiting: 0, upcoming: 0, opened: 0 })
    server.clock.advance(1)
    expect((await received()).counts).toEqual({ waiting: 5, upcoming: 0, opened: 0 })
  })

  it('says to an address that is not proved exactly what it says to any other', async () => {
    const unproved = await signedIn(server)
    const nobody = await signedIn(server)
    await seal('Pour vous', 1, { target_email: unproved.email })
    const announced = await seal('Annoncée', 9, {
      target_email: unproved.email,
      visibility: 'family',
    })
    await announce(announced.id)
    server.clock.advance(2 * A_DAY_MS)
    for (const query of ['', '?state=waiting', '?q=vous', '?limit=1']) {
      const path = `/api/revelations/received${query}`
      const [one, other] = [
        await server.call('GET', path, { as: unproved }),
        await server.call('GET', path, { as: nobody }),
      ]
      const isFixed = ([name]: [string, string]) =>
        !/^(date|x-ratelimit.*|x-server-time)$/.test(name)
      expect(Object.entries(one.headers).filter(isFixed)).toEqual(
        Object.entries(other.headers).filter(isFixed),
      )
      expect([one.status, one.text]).toEqual([other.status, other.text])
      expect(one.body.revelations).toEqual([])
    }
    await verifyEmail(server, unproved)
    expect(await titles('', unproved)).toEqual(['Pour vous', 'Annoncée'])
  })

  it('has letters to a second address, each apart, and neither for its author', async () => {
    const second = await verifiedPerson(server)
    await seal('Pour deux', 1, toAll(reader.email, second.email))
    server.clock.advance(A_DAY_MS)
    expect([await titles(), await titles('', second), await titles('', author)]).toEqual([
      ['Pour deux'],
      ['Pour deux'],
      [],
    ])
    const [one] = (await received()).revelations
    await open(one?.id ?? '')
    expect((await received('', second)).counts).toEqual({ waiting: 1, upcoming: 0, opened: 0 })
  })

  it('has a capsule for oneself once, with its countdown before', async () => {
    const sealedAt = server.clock.now.toISOString()
    const capsule = await createRevelation(server, reader, {
      title: 'À moi-même',
      target_email: reader.email,
      visibility: 'private',
    })
    const { revelations } = await received()
    expect(revelations).toMatchObject([
      { id: capsule.id, received: { state: 'upcoming', since: sealedAt } },
    ])
    server.clock.advance(A_DAY_MS)
    expect((await received()).counts).toEqual({ waiting: 1, upcoming: 0, opened: 0 })
    await open(capsule.id)
    expect((await received()).counts).toEqual({ waiting: 0, upcoming: 0, opened: 1 })
  })

  it('has a letter once that is both addressed and joined, as addressed', async () => {
    const { id, key } = await sealDelivered(server, author, { target_email: reader.email })
    await server.call('POST', `/api/revelations/${id}/save`, {
      as: reader,
      headers: keyHeaders(key),
    })
    const { revelations } = await received()
    expect(revelations.map(({ id, received }) => [id, received.source])).toEqual([[id, 'address']])
    // Revoking the link ends nothing of what is one’s own by address.
    const { body } = await server.call('GET', `/api/revelations/${id}`, { as: author })
    await server.call('POST', `/api/deliveries/${body.revelation.delivery.id}/revoke`, {
      as: author,
    })
    expect((await received()).revelations).toHaveLength(1)
  })

  it('searches title and pseudo, counts the whole, and takes signs for what they are', async () => {
    await seal('Été à la mer', 1)
    await seal('100 % réussi', 1)
    server.clock.advance(A_DAY_MS)
    expect(await titles('?q=ete')).toEqual(['Été à la mer'])
    expect(await titles(`?q=${encodeURIComponent('%')}`)).toEqual(['100 % réussi'])
    expect(await titles(`?q=${author.pseudo.slice(0, 6).toUpperCase()}`)).toHaveLength(2)
    const none = await received('?q=journee')
    expect([none.revelations, none.counts.waiting]).toEqual([[], 2])
  })

  it('says whether this addressee replied, in the words of nobody else', async () => {
    const second = await verifiedPerson(server)
    const { id } = await seal('Répondez-moi', 1, toAll(reader.email, second.email))
    server.clock.advance(A_DAY_MS)
    await server.call('POST', `/api/revelations/${id}/replies`, {
      as: second,
      body: { emoji: '❤️' },
    })
    const isAnswered = async (as: Person) =>
      (await received('', as)).revelations[0]?.received.is_answered
    expect([await isAnswered(reader), await isAnswered(second)]).toEqual([false, true])
  })

  it('is for whoever is signed in', async () => {
    expect((await server.call('GET', '/api/revelations/received')).status).toBe(401)
  })
})
