import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { personalKeyFor } from '#server/features/access/personal-keys.service.ts'
import {
  A_DAY_MS,
  createRevelation,
  keyHeaders,
  relate,
  verifiedPerson,
} from '#testing/factories.ts'
import { watchStatements } from '#testing/statements.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'

let server: TestApp
let author: Person
let reader: Person
let id: string

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  author = await signedIn(server)
  reader = await signedIn(server)
  id = (await createRevelation(server, author, { visibility: 'public' })).id
})

interface Caller {
  as?: Person
  /** A visitor with this browser. */
  browser?: string
  key?: string
}

function announce(by: Caller, body?: { page?: string; leaving?: boolean }, letter = id) {
  const headers: Record<string, string> = {
    ...(by.browser && { 'user-agent': by.browser }),
    ...keyHeaders(by.key),
  }
  return server.call('POST', `/api/revelations/${letter}/presence`, {
    as: by.as,
    headers,
    ...(body && { body }),
  })
}

async function waitingWith(by: Caller, letter = id) {
  return (await announce(by, undefined, letter)).body
}

async function setShown(person: Person, showPresence: boolean) {
  const answer = await server.call('PUT', '/api/subscriptions/preferences', {
    as: person,
    body: { showPresence },
  })
  expect(answer.body.preferences.showPresence).toBe(showPresence)
}

function nobody(waiting = 0) {
  return { waiting, people: [] }
}

describe('POST /api/revelations/:id/presence', () => {
  it('counts every other person once: accounts, personal links and visitors, names of strangers to nobody', async () => {
    expect(await waitingWith({ as: author })).toEqual(nobody())
    expect(await waitingWith({ as: reader })).toEqual(nobody(1))
    expect(await waitingWith({ browser: 'Firefox' })).toEqual(nobody(2))
    expect(await waitingWith({ browser: 'Safari' })).toEqual(nobody(3))
    const { body } = await server.call('GET', `/api/revelations/${id}`, { as: author })
    const key = personalKeyFor(server.ctx, body.revelation.delivery.id)
    expect(await waitingWith({ key, browser: 'Firefox' })).toEqual(nobody(4))
    // Calling again, and by another browser of the same link or account, is the same person.
    expect(await waitingWith({ key, browser: 'Safari' })).toEqual(nobody(4))
    expect(await waitingWith({ as: reader, browser: 'Chrome' })).toEqual(nobody(4))
    expect(await waitingWith({ browser: 'Firefox' })).toEqual(nobody(4))
    const other = await createRevelation(server, author, { visibility: 'public' })
    expect(await waitingWith({ browser: 'Firefox' }, other.id)).toEqual(nobody())
  })

  it('counts a person with two pages until both have left, and whoever fell silent for 45 seconds', async () => {
    const [one, other] = [randomUUID(), randomUUID()]
    for (const page of [one, other]) await announce({ as: reader }, { page })
    expect(await waitingWith({ as: author })).toEqual(nobody(1))
    await announce({ as: reader }, { page: one, leaving: true })
    expect(await waitingWith({ as: author })).toEqual(nobody(1))
    expect((await announce({ as: reader }, { page: other, leaving: true })).body).toEqual(nobody())
    expect(await waitingWith({ as: author })).toEqual(nobody())

    await announce({ as: reader })
    server.clock.advance(44_999)
    expect(await waitingWith({ as: author })).toEqual(nobody(1))
    server.clock.advance(1)
    expect(await waitingWith({ as: author })).toEqual(nobody())
    server.clock.advance(45_000)
    await server.runJobs()
    const rows = await server.ctx.db.selectFrom('waitingReaders').selectAll().execute()
    expect(rows).toEqual([])
  })

  it('names friends and family to each other, and nobody across a block', async () => {
    const [friend, relative] = [await signedIn(server), await signedIn(server)]
    await relate(server, reader, friend, 'friend')
    await relate(server, reader, relative, 'family')
    for (const as of [author, friend, relative]) await announce({ as })
    const named = [friend, relative].map((one) => ({ id: one.id, pseudo: one.pseudo }))
    const seen = await waitingWith({ as: reader })
    expect(seen.waiting).toBe(3)
    expect(seen.people).toEqual(named.sort((a, b) => (a.pseudo < b.pseudo ? -1 : 1)))
    expect(await waitingWith({ as: author })).toEqual(nobody(3))
    expect((await waitingWith({ as: friend })).people).toEqual([
      { id: reader.id, pseudo: reader.pseudo },
    ])
    await server.call('PUT', `/api/relationships/blocks/${reader.id}`, { as: friend })
    expect((await waitingWith({ as: reader })).people).toEqual([
      { id: relative.id, pseudo: relative.pseudo },
    ])
    expect(await waitingWith({ as: friend })).toEqual(nobody(3))
  })

  it('neither counts nor names whoever does not show that they wait, and names nobody to them', async () => {
    const friend = await signedIn(server)
    await relate(server, reader, friend, 'friend')
    await announce({ as: friend })
    expect(await waitingWith({ as: reader })).toMatchObject({ waiting: 1, people: [{}] })
    await setShown(friend, false)
    // At once in the names; in the count with the next call of their page.
    expect((await waitingWith({ as: reader })).people).toEqual([])
    expect(await waitingWith({ as: friend })).toEqual(nobody(1))
    expect(await waitingWith({ as: reader })).toEqual(nobody())
    await setShown(friend, true)
    expect(await waitingWith({ as: friend })).toMatchObject({ waiting: 1, people: [{}] })
    expect(await waitingWith({ as: reader })).toMatchObject({ waiting: 1, people: [{}] })
  })

  it('counts an addressee without their name, which would say for whom the letter is', async () => {
    const addressee = await verifiedPerson(server)
    await relate(server, author, reader, 'friend')
    await relate(server, reader, addressee, 'friend')
    const sealed = await createRevelation(server, author, {
      visibility: 'friends',
      target_email: addressee.email,
    })
    const body = { revelationId: sealed.id }
    await server.call('POST', '/api/email/notify-revelation', { as: author, body })
    expect(await waitingWith({ as: addressee }, sealed.id)).toEqual(nobody())
    expect(await waitingWith({ as: reader }, sealed.id)).toEqual(nobody(1))
    // The author counts the friend alone: nobody is to know, live, that the addressee is there.
    expect(await waitingWith({ as: author }, sealed.id)).toMatchObject({ waiting: 1 })
    await announce({ as: author }, { leaving: true }, sealed.id)
    // The friend of the author is here like anybody whom the author shows it to.
    expect(await waitingWith({ as: addressee }, sealed.id)).toMatchObject({
      waiting: 1,
      people: [{ id: reader.id }],
    })
  })

  it('is over at the instant, and writes nothing any more', async () => {
    await announce({ as: reader })
    server.clock.advance(A_DAY_MS)
    expect(await waitingWith({ as: author })).toEqual(nobody())
    await server.runJobs()
    await announce({ as: reader })
    const rows = await server.ctx.db.selectFrom('waitingReaders').selectAll().execute()
    expect(rows).toEqual([])
  })

  it('answers for a hidden letter as for a missing one, and goes with a deleted one', async () => {
    const hidden = await createRevelation(server, author, { visibility: 'friends' })
    await announce({ as: author }, undefined, hidden.id)
    for (const by of [{ as: reader }, { browser: 'Firefox' }, { key: 'x'.repeat(43) }]) {
      for (const body of [{}, { leaving: true }]) {
        const seen = await announce(by, body, hidden.id)
        const missing = await announce(by, body, randomUUID())
        expect([seen.status, seen.text]).toEqual([404, missing.text])
      }
    }
    await server.call('DELETE', `/api/revelations/${hidden.id}`, { as: author })
    const rows = await server.ctx.db
      .selectFrom('waitingReaders')
      .selectAll()
      .where('revelationId', '=', hidden.id)
      .execute()
    expect(rows).toEqual([])
  })

  it('counts a crowd once in two seconds for all of it', async () => {
    await server.ctx.pool.query(
      `insert into waiting_readers (revelation_id, person, page, is_addressee_alone, seen_at)
       select $1, 'visitor ' || n, gen_random_uuid(), false, $2 from generate_series(1, 2000) as n`,
      [id, new Date(server.clock.now.getTime() + 3_000)],
    )
    expect(await waitingWith({ as: reader })).toEqual(nobody(2000))
    const statements = watchStatements()
    const counts = () =>
      statements.drain().filter(({ text }) => /count\(distinct/.test(text)).length
    try {
      await Promise.all(Array.from({ length: 20 }, () => waitingWith({ as: reader })))
      expect(counts()).toBe(0)
      server.clock.advance(2_000)
      await Promise.all(Array.from({ length: 20 }, () => waitingWith({ as: reader })))
      expect(counts()).toBe(1)
      server.clock.advance(2_000)
      expect(await waitingWith({ as: author })).toEqual(nobody(2001))
    } finally {
      statements.stop()
    }
  })

  it('writes pages that are seen again together, and loses none of them', async () => {
    await waitingWith({ as: reader })
    await waitingWith({ as: author })
    const statements = watchStatements()
    const writes = () =>
      statements.drain().filter(({ text }) => /insert into waiting_readers/.test(text)).length
    try {
      for (const by of [reader, author, reader]) await waitingWith({ as: by })
      expect(writes()).toBe(0)
      server.clock.advance(20_000)
      await waitingWith({ as: reader })
      await waitingWith({ as: author })
      expect(writes()).toBe(1)
      server.clock.advance(20_000)
      await waitingWith({ as: reader })
      server.clock.advance(10_000)
      // Of those that were seen 50, 30 and 10 seconds ago.
      expect(await waitingWith({ as: author })).toEqual(nobody(1))
    } finally {
      statements.stop()
    }
  })

  it('is limited by account and by network, whatever RATE_LIMITS says', async () => {
    expect(server.ctx.config.http.rateLimits).toBe(false)
    // Refused calls count too, and cost least.
    const statusesOf = async (times: number, by: Caller) => {
      const statuses: number[] = []
      for (let n = 0; n < times; n += 1) statuses.push((await announce(by, {}, 'x')).status)
      return statuses
    }
    const ofAccount = await statusesOf(121, { as: reader })
    expect([ofAccount[119], ofAccount[120]]).toEqual([404, 429])
    expect((await announce({ as: author })).status).toBe(200)
    // Visitors of one network, who may be many, share a higher one.
    const ofNetwork = await statusesOf(301, { browser: 'Firefox' })
    expect([ofNetwork[120], ofNetwork[300]]).toEqual([404, 429])
    // Nothing else is counted.
    const { headers } = await server.call('GET', `/api/revelations/${id}`)
    expect(headers).not.toHaveProperty('x-ratelimit-limit')
  })
})
