import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  A_DAY_MS,
  keyHeaders,
  type RevelationOverrides,
  relate,
  sealDelivered,
  sealPrivate,
  verifiedPerson,
  verifyEmail,
} from '#testing/factories.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'

let server: TestApp
let author: Person

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  author = await signedIn(server)
  server.mailbox.all.length = 0
})

interface Reader {
  as?: Person
  key?: string
}

const seal = (changes?: RevelationOverrides) => sealPrivate(server, author, changes)
const sealOpened = (changes?: RevelationOverrides) => sealDelivered(server, author, changes)

async function openingOf(id: string, reader: Reader) {
  const { body } = await server.call('GET', `/api/revelations/${id}`, {
    as: reader.as,
    headers: keyHeaders(reader.key),
  })
  return body.revelation.opening
}

function open(id: string, reader: Reader, body?: { tell_author?: boolean }) {
  const options = { as: reader.as, headers: keyHeaders(reader.key), ...(body && { body }) }
  return server.call('POST', `/api/revelations/${id}/open`, options)
}

async function openInList(id: string, as: Person) {
  const { body } = await server.call('GET', '/api/revelations', { as })
  return body.revelations.find((item: { id: string }) => item.id === id)?.opening
}

async function journalOf(id: string) {
  const { body } = await server.call('GET', `/api/revelations/${id}`, { as: author })
  const { delivery } = body.revelation
  const steps = delivery.journal.map(({ step }: { step: string }) => step)
  return {
    state: delivery.state,
    opened_at: delivery.opened_at,
    isOpened: steps.includes('opened'),
  }
}

const accountOf = (email: string) => verifiedPerson(server, { email })

describe('POST /api/revelations/:id/open', () => {
  it('leaves no trace of a quiet visit in the count of views', async () => {
    const { id, key } = await sealOpened()
    await open(id, { key }, { tell_author: false })
    const { body } = await server.call('POST', `/api/revelations/${id}/view`, {
      headers: keyHeaders(key),
    })
    expect(body.views_count).toBe(0)
  })

  it('records the act of a personal link once, and tells the author; reading tells nothing', async () => {
    const { id, key } = await sealOpened()
    expect(await openingOf(id, { key })).toEqual({
      needed: true,
      opened_at: null,
      tells_author: true,
    })
    expect(await journalOf(id)).toMatchObject({ state: 'sent', opened_at: null, isOpened: false })

    const first = await open(id, { key })
    expect(first.status).toBe(200)
    server.clock.advance(A_DAY_MS)
    expect((await open(id, { key }, { tell_author: false })).body).toEqual(first.body)
    expect(await openingOf(id, { key })).toMatchObject({ needed: false, ...first.body })
    expect(await journalOf(id)).toEqual({ state: 'opened', ...first.body, isOpened: true })
  })

  it('records no opening for programs that fetch the links of a mail', async () => {
    const { id, key } = await sealOpened()
    const scanners: Record<string, string>[] = [
      {},
      { purpose: 'prefetch' },
      { 'sec-purpose': 'prefetch;prerender' },
      { 'user-agent': 'Mozilla/5.0 (compatible; MailScanner/1.0)' },
    ]
    for (const headers of scanners) {
      const bearing = { headers: { ...headers, ...keyHeaders(key) } }
      for (const method of ['GET', 'HEAD']) {
        await server.call(method, `/revelation/${id}`, { headers })
        const read = await server.call(method, `/api/revelations/${id}`, bearing)
        const act = await server.call(method, `/api/revelations/${id}/open`, bearing)
        expect([read.status, act.status]).toEqual([200, 404])
      }
    }
    // One that runs the page counts a view too.
    await server.call('POST', `/api/revelations/${id}/view`, { headers: keyHeaders(key) })
    expect(await journalOf(id)).toEqual({ state: 'sent', opened_at: null, isOpened: false })
    const { rowCount } = await server.ctx.pool.query(
      `select from openings where revelation_id = $1
       union all select from deliveries where revelation_id = $1 and seal_broken_at is not null`,
      [id],
    )
    expect(rowCount).toBe(0)
  })

  it('never tells the author once the first opening was to stay quiet', async () => {
    const { id, key, address } = await sealOpened()
    await open(id, { key }, { tell_author: false })
    const account = await accountOf(address)
    expect((await openingOf(id, { as: account })).needed).toBe(false)
    await open(id, { as: account }, { tell_author: true })
    await open(id, { key })
    expect(await journalOf(id)).toMatchObject({ state: 'sent', opened_at: null, isOpened: false })
  })

  it('is remembered for the account of the address, in lists too, and told as that of a link', async () => {
    const { id, address } = await sealOpened({ visibility: 'public' })
    const account = await accountOf(address)
    expect(await openInList(id, account)).toMatchObject({ needed: true, tells_author: true })
    await open(id, { as: account })
    expect(await openInList(id, account)).toMatchObject({ needed: false })
    expect((await journalOf(id)).isOpened).toBe(true)
  })

  it('is needed of friends for what is not public, whose act the author is not told', async () => {
    const friend = await signedIn(server)
    await relate(server, author, friend, 'friend')
    const { id } = await sealOpened({ visibility: 'friends' })
    expect(await openInList(id, friend)).toMatchObject({ needed: true, tells_author: false })
    const { body } = await open(id, { as: friend })
    expect(await openInList(id, friend)).toMatchObject({ needed: false, ...body })
    expect((await journalOf(id)).isOpened).toBe(false)
  })

  it('is not needed of the author, nor on a public letter of anybody else', async () => {
    const { id } = await sealOpened({ visibility: 'public' })
    const reader = await signedIn(server)
    expect((await openingOf(id, { as: author })).needed).toBe(false)
    expect((await openingOf(id, {})).needed).toBe(false)
    expect((await openingOf(id, { as: reader })).needed).toBe(false)
    const { body } = await open(id, { as: reader })
    expect(await openInList(id, reader)).toMatchObject({ needed: false, ...body })
    expect((await journalOf(id)).isOpened).toBe(false)
  })

  it('is needed on a public letter of whoever asked to be reminded, once the reminder has left too', async () => {
    const reader = await verifiedPerson(server)
    const { id } = await seal({ visibility: 'public' })
    for (const as of [reader, author]) {
      await server.call('PUT', `/api/revelations/${id}/reminder`, { as })
    }
    expect((await openingOf(id, { as: reader })).needed).toBe(false)
    server.clock.advance(A_DAY_MS)
    const needed = { needed: true, opened_at: null, tells_author: false }
    expect(await openingOf(id, { as: reader })).toEqual(needed)
    await server.runJobs()
    expect(server.mailbox.all.filter(({ to }) => to === reader.email)).toHaveLength(1)
    expect(await openingOf(id, { as: reader })).toEqual(needed)
    expect(await openInList(id, reader)).toEqual(needed)
    expect((await openingOf(id, { as: author })).needed).toBe(false)
    expect((await openingOf(id, { as: await signedIn(server) })).needed).toBe(false)
    const { body } = await open(id, { as: reader })
    expect(await openInList(id, reader)).toEqual({ ...needed, needed: false, ...body })
    expect((await journalOf(id)).isOpened).toBe(false)
    // It is over as a reminder.
    const reminder = await server.call('GET', `/api/revelations/${id}/reminder`, { as: reader })
    expect(reminder.body).toEqual({ reminded: false })
  })

  it('is needed no longer of whoever withdrew the reminder', async () => {
    const reader = await signedIn(server)
    const { id } = await seal({ visibility: 'public' })
    for (const method of ['PUT', 'DELETE']) {
      await server.call(method, `/api/revelations/${id}/reminder`, { as: reader })
    }
    server.clock.advance(A_DAY_MS)
    expect((await openingOf(id, { as: reader })).needed).toBe(false)
  })

  it('is needed of whoever writes to their own address', async () => {
    await verifyEmail(server, author)
    const { id } = await sealOpened({ target_email: author.email })
    expect(await openingOf(id, { as: author })).toMatchObject({ needed: true, tells_author: false })
    await open(id, { as: author })
    expect((await openingOf(id, { as: author })).needed).toBe(false)
  })

  it('answers still_sealed before the instant, and records nothing', async () => {
    const { id } = await seal({ visibility: 'public' })
    const reader = await signedIn(server)
    for (const as of [reader, author]) {
      const answer = await open(id, { as })
      expect([answer.status, answer.body.code]).toEqual([409, 'still_sealed'])
    }
    server.clock.advance(A_DAY_MS)
    expect((await openingOf(id, { as: reader })).opened_at).toBeNull()
  })

  it('answers 404 to whoever may not see the letter, and 401 to visitors of a public one', async () => {
    const { id, key } = await sealOpened()
    const stranger = await signedIn(server)
    const hidden = await open(id, { as: stranger })
    const missing = await open(crypto.randomUUID(), { as: stranger })
    expect([hidden.status, hidden.body]).toEqual([404, missing.body])
    expect((await open(id, { key: 'x'.repeat(43) })).status).toBe(404)
    const other = await sealOpened({ visibility: 'public' })
    expect((await open(other.id, {})).status).toBe(401)
    expect((await open(other.id, { key })).status).toBe(401)
    expect((await journalOf(other.id)).isOpened).toBe(false)
  })

  it('begins anew for another address', async () => {
    const { id, key } = await sealOpened()
    await open(id, { key }, { tell_author: false })
    const { body } = await server.call('GET', `/api/revelations/${id}`, { as: author })
    await server.ctx.db
      .updateTable('deliveries')
      .set({ state: 'failed' })
      .where('id', '=', body.revelation.delivery.id)
      .execute()
    const address = `autre.${crypto.randomUUID()}@exemple.fr`
    await server.call('PUT', `/api/deliveries/${body.revelation.delivery.id}`, {
      as: author,
      body: { address },
    })
    await server.runJobs()
    const next = server.mailbox.lastKeyTo(address)
    expect((await openingOf(id, { key: next })).needed).toBe(true)
    await open(id, { key: next })
    expect((await journalOf(id)).isOpened).toBe(true)
  })

  it('is limited whatever RATE_LIMITS says', async () => {
    const { id } = await sealOpened({ visibility: 'public' })
    const [reader, other] = [await signedIn(server), await signedIn(server)]
    expect(server.ctx.config.http.rateLimits).toBe(false)
    const statuses: number[] = []
    for (let n = 0; n < 61; n += 1) statuses.push((await open(id, { as: reader })).status)
    expect(statuses.slice(0, 60).every((status) => status === 200)).toBe(true)
    expect(statuses.at(-1)).toBe(429)
    expect((await open(id, { as: other })).status).toBe(200)
  })
})
