import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Plan } from '#contract/subscriptions.ts'
import {
  A_DAY_MS,
  createRevelation,
  keyHeaders,
  relate,
  sealDelivered,
  sealPrivate,
  travelTo,
} from '#testing/factories.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'

const START = new Date('2026-10-29T22:30:00.000Z')
const NONE = { views: 0, openings: 0, replies: 0, comments: 0, reactions: 0 }
let server: TestApp
let author: Person

beforeAll(async () => {
  server = await startTestServer({ now: START })
})
afterAll(() => server.close())
beforeEach(async () => {
  await travelTo(server, START)
  author = await onPlan('pro')
})

async function onPlan(plan: Plan): Promise<Person> {
  const person = await signedIn(server)
  const row = 'insert into subscriptions (user_id, plan) values ($1, $2)'
  await server.ctx.pool.query(row, [person.id, plan])
  return person
}

function ask(query = '', as = author) {
  return server.call('GET', `/api/statistics?${query}`, { as })
}

async function statistics(query = '') {
  return (await ask(query)).body
}

async function letters(query = '', as = author) {
  return (await server.call('GET', `/api/statistics/letters?${query}`, { as })).body
}

function view(id: string, reader: { as?: Person; key?: string }) {
  const options = { as: reader.as, headers: keyHeaders(reader.key) }
  return server.call('POST', `/api/revelations/${id}/view`, options)
}

function open(id: string, key: string, tell_author: boolean) {
  const options = { headers: keyHeaders(key), body: { tell_author } }
  return server.call('POST', `/api/revelations/${id}/open`, options)
}

function reply(id: string, key: string) {
  const body = { content: 'Merci.' }
  return server.call('POST', `/api/revelations/${id}/replies`, { headers: keyHeaders(key), body })
}

function comment(id: string, as: Person) {
  return server.call('POST', '/api/comments', {
    as,
    body: { revelation_id: id, content: `Bravo ${as.pseudo}` },
  })
}

function react(id: string, as: Person) {
  return server.call('POST', '/api/reactions', { as, body: { revelation_id: id, emoji: '❤️' } })
}

describe('the statistics of an author', () => {
  it('belong to the plans that have them, and to nobody without a session', async () => {
    const [standard, unlimited] = [await onPlan('standard'), await onPlan('unlimited')]
    for (const path of ['', '/letters']) {
      const asked = (as?: Person) => server.call('GET', `/api/statistics${path}`, { as })
      expect((await asked()).status).toBe(401)
      const { status, body } = await asked(standard)
      expect([status, body.code]).toEqual([403, 'feature_of_plan'])
      expect((await asked(unlimited)).status).toBe(200)
    }
  })

  it('count what others did, by month in the zone of the author', async () => {
    const [reader, other] = [await signedIn(server), await signedIn(server)]
    const { id } = await createRevelation(server, author)
    for (const as of [reader, other, author]) {
      await view(id, { as })
      await comment(id, as)
      await react(id, as)
    }
    await travelTo(server, '2026-10-31T23:30:00.000Z')
    await view(id, { as: reader })
    await comment(id, reader)
    const { months, totals } = await statistics('time_zone=Europe/Brussels')
    expect(months).toHaveLength(12)
    // A comment has an hour, and is of November in Brussels; a view has the day of UTC alone.
    expect(months.slice(-2)).toEqual([
      { month: '2026-10', ...NONE, views: 3, comments: 2, reactions: 2 },
      { month: '2026-11', ...NONE, comments: 1 },
    ])
    expect(totals).toEqual({ ...NONE, views: 3, comments: 3, reactions: 2 })
    const inLisbon = await statistics('time_zone=Europe/Lisbon')
    expect(inLisbon.months.at(-1)).toMatchObject({ month: '2026-10', comments: 3 })
  })

  it('count neither whom a block hides nor what operators hide', async () => {
    const [reader, other] = [await signedIn(server), await signedIn(server)]
    const { id } = await createRevelation(server, author)
    const { body } = await comment(id, other)
    for (const as of [reader, other]) await react(id, as)
    await comment(id, reader)
    const path = `/api/relationships/blocks/${reader.id}`
    expect((await server.call('PUT', path, { as: author })).status).toBe(200)
    expect((await statistics()).totals).toEqual({ ...NONE, comments: 1, reactions: 1 })
    await server.ctx.pool.query('update comments set hidden_at = now() where id = $1', [body.id])
    expect((await statistics()).totals).toEqual({ ...NONE, reactions: 1 })
  })

  it('are the same whether a quiet reader came, opened and went, or nobody did', async () => {
    const friend = await signedIn(server)
    await relate(server, author, friend, 'family')
    const seal = (visibility: 'private' | 'family') => sealPrivate(server, author, { visibility })
    const untouched = [await seal('private'), await seal('family')]
    const quiet = [await seal('private'), await seal('family')]
    server.clock.advance(A_DAY_MS)
    await server.runJobs()
    for (const { id, address } of quiet) {
      const key = server.mailbox.lastKeyTo(address)
      await view(id, { key })
      await open(id, key, false)
      await server.call('GET', `/api/revelations/${id}`, { headers: keyHeaders(key) })
    }
    const { letters: rows } = await letters('period=all')
    const ids = [...untouched, ...quiet].map(({ id }) => id)
    expect(rows.map(({ id }: { id: string }) => id).toSorted()).toEqual(ids.toSorted())
    for (const row of rows) expect(row).toMatchObject(NONE)
    expect((await statistics('period=all')).totals).toEqual(NONE)
  })

  it('count an opening that was told, in its month, and what its reader wrote back', async () => {
    const { id, key } = await sealDelivered(server, author)
    await travelTo(server, '2026-12-24T18:00:00.000Z')
    await open(id, key, true)
    expect((await reply(id, key)).status).toBe(201)
    expect((await reply(id, key)).status).toBe(201)
    const { months, totals } = await statistics()
    expect(totals).toEqual({ ...NONE, openings: 1, replies: 2 })
    expect(months.at(-1)).toEqual({ month: '2026-12', ...NONE, openings: 1, replies: 2 })
    // Operators take a reply out of both sides’ sight.
    await server.ctx.pool.query(
      `update replies set hidden_at = now()
       where id = (select id from replies where revelation_id = $1 limit 1)`,
      [id],
    )
    expect((await statistics()).totals.replies).toBe(1)
    const { body } = await server.call('GET', `/api/revelations/${id}`, { as: author })
    expect(body.revelation.delivery.state).toBe('opened')
  })

  it('give a period its months, and all time the views that have no day', async () => {
    const { id } = await createRevelation(server, author)
    await server.ctx.pool.query('update revelations set views_count = 40 where id = $1', [id])
    await travelTo(server, '2027-02-03T10:00:00.000Z')
    await view(id, { as: await signedIn(server) })
    const year = await statistics('period=this-year')
    expect(year.months.map(({ month }: { month: string }) => month)).toEqual(['2027-01', '2027-02'])
    expect(year).toMatchObject({ totals: { views: 1 }, undated_views: 40 })
    const all = await statistics('period=all')
    expect(all.months.map(({ month }: { month: string }) => month)).toEqual([
      ...['2026-10', '2026-11', '2026-12', '2027-01', '2027-02'],
    ])
    expect(all).toMatchObject({
      letters: 1,
      totals: { views: 41 },
      undated_views: 40,
      views_dated_from: '2027-02-03',
    })
    expect((await letters('period=all')).letters[0].views).toBe(41)
    expect((await letters('period=this-year')).letters[0].views).toBe(1)
    await server.ctx.pool.query('delete from revelations where id = $1', [id])
    const gone = await statistics('period=all')
    expect(gone).toMatchObject({ letters: 0, totals: NONE, views_dated_from: null })
    expect(gone.months).toHaveLength(1)
  })
})

describe('GET /api/statistics/letters', () => {
  it('sorts by each column, in pages, and knows only the letters of the author', async () => {
    await createRevelation(server, await signedIn(server), { title: 'Aurore des autres' })
    const titles = ['Élan', 'aube', 'Zénith']
    const readers = [await signedIn(server), await signedIn(server)]
    for (const [at, title] of titles.entries()) {
      const reveal_date = new Date(START.getTime() + (at + 2) * A_DAY_MS).toISOString()
      const { id } = await createRevelation(server, author, { title, reveal_date })
      for (const as of readers.slice(0, at)) {
        await view(id, { as })
        await react(id, as)
      }
    }
    const titlesBy = async (query: string) => {
      const { letters: rows, total } = await letters(query)
      expect(total).toBe(3)
      return rows.map(({ title }: { title: string }) => title)
    }
    expect(await titlesBy('')).toEqual(['Zénith', 'aube', 'Élan'])
    expect(await titlesBy('sort=date&order=asc')).toEqual(['Élan', 'aube', 'Zénith'])
    expect(await titlesBy('sort=title&order=asc')).toEqual(['aube', 'Élan', 'Zénith'])
    expect(await titlesBy('sort=views')).toEqual(['Zénith', 'aube', 'Élan'])
    expect(await titlesBy('sort=responses&order=asc')).toEqual(['Élan', 'aube', 'Zénith'])
    expect(await titlesBy('sort=openings&order=asc')).toEqual(['Élan', 'aube', 'Zénith'])
    expect(await titlesBy('sort=date&order=asc&limit=2&page=2')).toEqual(['Zénith'])
  })

  it('refuses by name what it does not know', async () => {
    const refused = await letters('period=hier&sort=auteur&limit=501&time_zone=Nulle/Part')
    expect(refused.fields).toMatchObject({
      period: 'Cette période n’existe pas',
      sort: 'Ce tri n’existe pas',
      limit: 'La taille de page va de 1 à 500',
      time_zone: 'Ce fuseau horaire n’existe pas',
    })
  })
})
