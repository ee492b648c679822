import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  createRevelation,
  keyHeaders,
  type RevelationOverrides,
  sealPrivate,
  travelTo,
  verifiedPerson,
} from '#testing/factories.ts'
import { insertRows, rowOf } from '#testing/rows.ts'
import { type Person, startTestServer, type TestApp } from '#testing/test-server.ts'

let server: TestApp
let author: Person
let reader: Person

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  server.clock.now = new Date('2026-11-20T09:00:00.000Z')
  author = await verifiedPerson(server)
  reader = await verifiedPerson(server)
  await server.ctx.db
    .insertInto('subscriptions')
    .values({ userId: author.id, plan: 'unlimited' })
    .execute()
})

async function seal(revealAt: string, changes: RevelationOverrides = {}): Promise<string> {
  const overrides = { target_email: reader.email, reveal_date: revealAt, ...changes }
  return (await sealPrivate(server, author, overrides)).id
}

interface Anniversary {
  id: string
  years: number
  side: string
}

async function anniversaries(as: Person, query = ''): Promise<Anniversary[]> {
  const { status, body } = await server.call('GET', `/api/revelations/anniversaries${query}`, {
    as,
  })
  expect(status).toBe(200)
  return body.anniversaries.map(
    ({ revelation, years, side }: Omit<Anniversary, 'id'> & { revelation: { id: string } }) => ({
      id: revelation.id,
      years,
      side,
    }),
  )
}

function open(id: string, as = reader) {
  return server.call('POST', `/api/revelations/${id}/open`, { as })
}

describe('GET /api/revelations/anniversaries', () => {
  it('has what opened a year ago for its author, and for its reader on the day they opened it', async () => {
    const id = await seal('2026-11-25T10:00:00.000Z')
    await travelTo(server, '2026-11-27T10:00:00.000Z')
    await open(id)
    expect([await anniversaries(author), await anniversaries(reader)]).toEqual([[], []])
    await travelTo(server, '2027-11-25T06:00:00.000Z')
    expect(await anniversaries(author)).toEqual([{ id, years: 1, side: 'sent' }])
    expect(await anniversaries(reader)).toEqual([])
    await travelTo(server, '2029-11-27T23:30:00.000Z')
    // It is the 28th in Brussels.
    expect(await anniversaries(reader)).toEqual([])
    expect(await anniversaries(reader, '?time_zone=America/Montreal')).toEqual([
      { id, years: 3, side: 'received' },
    ])
    expect(await anniversaries(author, '?time_zone=America/Montreal')).toEqual([])
  })

  it('has a capsule for oneself once, as what was sent', async () => {
    const { id } = await createRevelation(server, author, {
      target_email: author.email,
      visibility: 'private',
      reveal_date: '2026-11-25T10:00:00.000Z',
    })
    await travelTo(server, '2026-11-25T12:00:00.000Z')
    await open(id, author)
    await travelTo(server, '2028-11-25T12:00:00.000Z')
    expect(await anniversaries(author)).toEqual([{ id, years: 2, side: 'sent' }])
    await server.call('DELETE', `/api/revelations/${id}`, { as: author })
    expect(await anniversaries(author)).toEqual([])
  })

  it('keeps 29 February on the 28th of years without one, and on no other day', async () => {
    const leap = await seal('2028-02-29T10:00:00.000Z')
    const before = await seal('2028-02-28T10:00:00.000Z')
    const after = await seal('2028-03-01T10:00:00.000Z')
    const idsOn = async (day: string) => {
      await travelTo(server, `${day}T12:00:00.000Z`)
      return (await anniversaries(author)).map(({ id }) => id)
    }
    expect(await idsOn('2029-02-28')).toEqual([leap, before])
    expect(await idsOn('2029-03-01')).toEqual([after])
    expect(await idsOn('2032-02-28')).toEqual([before])
    expect(await idsOn('2032-02-29')).toEqual([leap])
    await travelTo(server, '2032-02-29T12:00:00.000Z')
    expect(await anniversaries(author)).toEqual([{ id: leap, years: 4, side: 'sent' }])
  })

  it('is empty where it is switched off', async () => {
    const id = await seal('2026-11-25T10:00:00.000Z')
    await travelTo(server, '2027-11-25T12:00:00.000Z')
    const choose = (onThisDay: boolean) =>
      server.call('PUT', '/api/subscriptions/preferences', { as: author, body: { onThisDay } })
    await choose(false)
    expect(await anniversaries(author)).toEqual([])
    await choose(true)
    expect(await anniversaries(author)).toMatchObject([{ id }])
  })

  it('has nothing that was merely read, by friends or by whoever lost the link', async () => {
    const id = await seal('2026-11-25T10:00:00.000Z', { target_email: 'autre@exemple.fr' })
    await travelTo(server, '2026-11-25T12:00:00.000Z')
    await server.runJobs()
    const headers = keyHeaders(server.mailbox.lastKeyTo('autre@exemple.fr'))
    await server.call('POST', `/api/revelations/${id}/save`, { as: reader, headers })
    await open(id)
    await travelTo(server, '2027-11-25T12:00:00.000Z')
    expect(await anniversaries(reader)).toEqual([{ id, years: 1, side: 'received' }])
    const { body } = await server.call('GET', `/api/revelations/${id}`, { as: author })
    await server.call('POST', `/api/deliveries/${body.revelation.delivery.id}/revoke`, {
      as: author,
    })
    expect(await anniversaries(reader)).toEqual([])
  })

  it('has twenty beside one that is hidden, as if that were not there', async () => {
    const revealAt = new Date(server.clock.now.getTime() - 1)
    const rows = Array.from({ length: 21 }, () =>
      rowOf(server, { authorId: author.id, visibility: 'public', revealAt }),
    )
    await insertRows(server, rows)
    await server.ctx.pool.query(
      'update deliveries set address_key = $1, address = $1 where revelation_id in (select id from revelations where author_id = $2)',
      [reader.email, author.id],
    )
    for (const { id } of rows) {
      server.clock.advance(1)
      await open(id)
    }
    const [latest] = rows.slice(-1)
    await server.ctx.pool.query('update revelations set hidden_at = $2 where id = $1', [
      latest?.id,
      server.clock.now,
    ])
    await travelTo(server, '2027-11-20T12:00:00.000Z')
    const seen = (await anniversaries(reader)).map(({ id }) => id)
    expect(seen).toEqual(
      rows
        .slice(0, 20)
        .map(({ id }) => id)
        .reverse(),
    )
  })

  it('has at most twenty, the latest first, and refuses a zone that does not exist', async () => {
    for (let minute = 10; minute < 32; minute += 1) {
      await server.ctx.pool.query('delete from rate_counts')
      await seal(`2026-11-25T10:${minute}:00.000Z`, { target_email: 'une@exemple.fr' })
    }
    await travelTo(server, '2027-11-25T12:00:00.000Z')
    const { body } = await server.call('GET', '/api/revelations/anniversaries', { as: author })
    expect(body.anniversaries).toHaveLength(20)
    expect(body.anniversaries[0].revelation.reveal_date).toBe('2026-11-25T10:31:00.000Z')
    const wrong = await server.call('GET', '/api/revelations/anniversaries?time_zone=Lune/Mer', {
      as: author,
    })
    expect(wrong.status).toBe(400)
    expect((await server.call('GET', '/api/revelations/anniversaries')).status).toBe(401)
  })
})
