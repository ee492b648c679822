import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { KINDS } from '#contract/kinds.ts'
import type { Outcome } from '#contract/predictions.ts'
import { catchUp, openPage } from '#testing/event-page.ts'
import {
  A_DAY_MS,
  AN_HOUR_MS,
  createRevelation,
  type RevelationOverrides,
} from '#testing/factories.ts'
import {
  PASSWORD,
  type Person,
  signedIn,
  startTestServer,
  type TestApp,
} from '#testing/test-server.ts'

const SOURCE = 'https://www.meteo.be/fr/archives?jour=2026-11-23'
const NOTHING = { fulfilled: 0, partly: 0, failed: 0, undecidable: 0 }

let server: TestApp
let author: Person
let reader: Person
let id: string

beforeAll(async () => {
  server = await startTestServer()
  reader = await signedIn(server, { pseudo: 'Lectrice' })
})
afterAll(() => server.close())
beforeEach(async () => {
  author = await signedIn(server)
  id = (await predict(author)).id
})

function predict(by: Person, overrides: RevelationOverrides = {}) {
  return createRevelation(server, by, { kind: 'prediction', ...overrides })
}

function declare(outcome: string, source_url?: string, as: Person | undefined = author) {
  return server.call('PUT', `/api/revelations/${id}/outcome`, { as, body: { outcome, source_url } })
}

function vote(as: Person | undefined, outcome: Outcome | 'heads', of = id) {
  return server.call('PUT', `/api/revelations/${of}/vote`, { as, body: { outcome } })
}

function withdraw(as: Person | undefined) {
  return server.call('DELETE', `/api/revelations/${id}/vote`, { as })
}

async function seenBy(as?: Person) {
  return (await server.call('GET', `/api/revelations/${id}`, { as })).body.revelation
}

function edit(body: object) {
  return server.call('PUT', `/api/revelations/${id}`, { as: author, body })
}

describe('PUT /api/revelations/:id/outcome', () => {
  it('declares the outcome with source and date, for its author once it is revealed', async () => {
    expect(await seenBy(author)).toMatchObject({ prediction: null, can: { declare: false } })
    expect(await declare('fulfilled')).toMatchObject({
      status: 409,
      body: { code: 'not_a_prediction' },
    })
    server.clock.advance(2 * A_DAY_MS)
    expect(await seenBy(author)).toMatchObject({
      prediction: { declared: null, votes: NOTHING, my_vote: null },
      can: { declare: true, vote: false },
    })
    const { status, body } = await declare('partly', ` ${SOURCE} `)
    const declared = {
      outcome: 'partly',
      source_url: SOURCE,
      declared_at: server.clock.now.toISOString(),
      changed_at: null,
      former_outcome: null,
    }
    expect({ status, body }).toEqual({
      status: 200,
      body: { prediction: { declared, votes: NOTHING, my_vote: null, counts: true } },
    })
    for (const as of [undefined, reader]) {
      expect((await seenBy(as)).prediction.declared).toEqual(declared)
      expect(await declare('fulfilled', SOURCE, as ?? reader)).toMatchObject({ status: 403 })
    }
  })

  it('shows the former outcome and the date of a change', async () => {
    server.clock.advance(2 * A_DAY_MS)
    await declare('failed')
    const declared_at = server.clock.now.toISOString()
    server.clock.advance(AN_HOUR_MS)
    await declare('failed')
    expect((await seenBy()).prediction.declared.changed_at).toBeNull()
    await declare('fulfilled')
    const changed_at = server.clock.now.toISOString()
    const changed = { declared_at, changed_at, former_outcome: 'failed' }
    expect((await seenBy()).prediction.declared).toMatchObject(changed)
    server.clock.advance(AN_HOUR_MS)
    await declare('fulfilled', SOURCE)
    expect((await seenBy()).prediction.declared).toMatchObject({
      ...changed,
      source_url: SOURCE,
      changed_at: server.clock.now.toISOString(),
    })
  })

  it.each([
    'http://www.meteo.be/',
    'javascript:alert(1)',
    'https://moi:secret@meteo.be/',
    'https://meteo.be:8443/',
    'https://192.168.1.1/',
    'https://[::1]/',
    'https://0x7f.1/',
    'https://localhost/',
    'https://imprimante.local/',
    'www.meteo.be',
  ])('rejects a source that is no public https address: %s', async (source) => {
    server.clock.advance(2 * A_DAY_MS)
    const { status, body } = await declare('fulfilled', source)
    expect([status, Object.keys(body.fields)]).toEqual([400, ['source_url']])
  })

  it('shows the name of a source in ASCII, so that no letter passes for another', async () => {
    server.clock.advance(2 * A_DAY_MS)
    const { body } = await declare('fulfilled', 'https://météo.be/été')
    expect(body.prediction.declared.source_url).toBe('https://xn--mto-bmab.be/%C3%A9t%C3%A9')
  })

  it('takes the source under its other name', async () => {
    server.clock.advance(2 * A_DAY_MS)
    const body = { outcome: 'fulfilled', source: SOURCE }
    const answer = await server.call('PUT', `/api/revelations/${id}/outcome`, { as: author, body })
    expect(answer.body.prediction.declared.source_url).toBe(SOURCE)
  })

  it.each(KINDS.filter((kind) => kind !== 'prediction'))(
    'is for predictions alone, and so are votes: no public %s',
    async (kind) => {
      id = (await createRevelation(server, author, { kind, visibility: 'public' })).id
      server.clock.advance(2 * A_DAY_MS)
      expect(await seenBy(author)).toMatchObject({
        kind,
        prediction: null,
        can: { declare: false },
      })
      expect(await seenBy(reader)).toMatchObject({ prediction: null, can: { vote: false } })
      const refused = { status: 409, body: { code: 'not_a_prediction' } }
      for (const answer of [await declare('fulfilled'), await vote(reader, 'failed')]) {
        expect(answer).toMatchObject(refused)
      }
    },
  )

  it('shows neither outcome nor votes while not everybody sees the revelation', async () => {
    server.clock.advance(2 * A_DAY_MS)
    await declare('fulfilled')
    await vote(reader, 'failed')
    await edit({ visibility: 'friends' })
    expect(await seenBy(author)).toMatchObject({ prediction: null, can: { declare: false } })
    expect((await declare('failed')).body.code).toBe('not_a_prediction')
    expect((await vote(reader, 'partly')).status).toBe(404)
  })
})

describe('/api/revelations/:id/vote', () => {
  beforeEach(() => server.clock.advance(2 * A_DAY_MS))

  it('counts one vote per account, which may be changed and withdrawn', async () => {
    const other = await signedIn(server)
    await vote(other, 'fulfilled')
    for (const outcome of ['failed', 'partly', 'partly'] as const) await vote(reader, outcome)
    expect(await seenBy(reader)).toMatchObject({
      prediction: { votes: { ...NOTHING, fulfilled: 1, partly: 1 }, my_vote: 'partly' },
      can: { vote: true, declare: false },
    })
    expect(await seenBy()).toMatchObject({
      prediction: { votes: { ...NOTHING, fulfilled: 1, partly: 1 }, my_vote: null },
      can: { vote: false },
    })
    const { body } = await withdraw(reader)
    expect(body.prediction).toMatchObject({ votes: { ...NOTHING, fulfilled: 1 }, my_vote: null })
    expect((await withdraw(reader)).body.prediction.votes.partly).toBe(0)
  })

  it('counts simultaneous requests once', async () => {
    const outcomes = ['fulfilled', 'failed', 'fulfilled', 'partly', 'failed'] as const
    await Promise.all(outcomes.map((outcome) => vote(reader, outcome)))
    const { votes, my_vote } = (await seenBy(reader)).prediction
    expect(votes).toEqual({ ...NOTHING, [my_vote]: 1 })
  })

  it('rejects the author, visitors, and votes before the instant', async () => {
    expect(await vote(author, 'fulfilled')).toMatchObject({
      status: 403,
      body: { code: 'own_prediction' },
    })
    expect(await vote(undefined, 'fulfilled')).toMatchObject({
      status: 401,
      body: { error: 'Connectez-vous pour voter' },
    })
    expect((await vote(reader, 'heads')).body.fields).toHaveProperty('outcome')
    const sealed = await predict(author)
    expect((await vote(reader, 'partly', sealed.id)).body.code).toBe('not_a_prediction')
  })

  it('is answered in lists as on the page', async () => {
    await vote(reader, 'undecidable')
    for (const query of ['', 'visibility=public&', 'outcome=none&']) {
      const path = `/api/revelations?${query}sort=latest_revealed&limit=100`
      const { body } = await server.call('GET', path, { as: reader })
      const mine = body.revelations.find((item: { id: string }) => item.id === id)
      expect([query, mine.prediction.my_vote]).toEqual([query, 'undecidable'])
    }
  })

  it('sends the counts to open pages, and nothing of who voted', async () => {
    const page = await openPage(await server.listen(), reader, [id])
    // What happened before may come late.
    await catchUp(server.ctx, page, reader.id)
    page.clear()
    const other = await signedIn(server)
    await vote(other, 'partly')
    await catchUp(server.ctx, page, reader.id)
    page.leave()
    const heard = page.events.filter(({ data }) => data.id === id).map(({ data }) => data)
    expect(heard).toMatchObject([{ changed: ['votes'], votes: { ...NOTHING, partly: 1 } }])
    expect(JSON.stringify(heard)).not.toContain(other.id)
  })

  it('is deleted with the account that cast it, and is in its export', async () => {
    const leaving = await signedIn(server)
    await vote(leaving, 'failed')
    await vote(reader, 'failed')
    await declare('fulfilled', SOURCE)
    const exportOf = (as: Person) => server.call('GET', '/api/auth/export', { as })
    expect((await exportOf(leaving)).body.votes).toEqual([
      { revelation_id: id, outcome: 'failed', voted_at: server.clock.now.toISOString() },
    ])
    const own = (await exportOf(author)).body
    expect(own.votes).toEqual([])
    expect(own.revelations[0].prediction).toMatchObject({
      declared: { outcome: 'fulfilled', source_url: SOURCE },
      votes: { failed: 2 },
    })
    const body = { password: PASSWORD }
    await server.call('DELETE', '/api/auth/account', { as: leaving, body })
    expect((await seenBy()).prediction.votes).toEqual({ ...NOTHING, failed: 1 })
  })
})

describe('the record of an author', () => {
  it('counts every outcome, what has none, what is no longer public and what was withdrawn', async () => {
    const outcomes = ['fulfilled', 'fulfilled', 'failed', 'partly'] as const
    const ids: string[] = []
    for (const _ of outcomes) ids.push((await predict(author)).id)
    server.clock.advance(2 * A_DAY_MS)
    for (const [index, one] of ids.entries()) {
      id = one
      await declare(outcomes[index] as Outcome)
    }
    await edit({ visibility: 'private' })
    id = ids[1] as string
    await server.call('DELETE', `/api/revelations/${id}`, { as: author })
    await predict(author)
    const { body } = await server.call('GET', `/api/auth/user/${author.id}`)
    expect(body.stats.record).toEqual({
      sealed: 6,
      revealed: 4,
      withdrawn: 1,
      outcomes: { ...NOTHING, fulfilled: 1, failed: 1 },
      undeclared: 1,
      narrowed: 1,
      unattested: 0,
    })
  })

  it('counts nothing that was widened before its instant, and whoever sees it reads since when it is public', async () => {
    const prophet = await signedIn(server)
    const sealedAt = server.clock.now.toISOString()
    const guesses: string[] = []
    for (let guess = 0; guess < 4; guess += 1) {
      guesses.push((await predict(prophet, { visibility: 'private' })).id)
    }
    const attested = await predict(prophet)
    server.clock.advance(AN_HOUR_MS)
    id = guesses[2] as string
    await server.call('PUT', `/api/revelations/${id}`, {
      as: prophet,
      body: { visibility: 'public' },
    })
    const widenedAt = server.clock.now.toISOString()
    server.clock.advance(2 * A_DAY_MS)
    await declare('fulfilled', undefined, prophet)
    const { body } = await server.call('GET', `/api/auth/user/${prophet.id}`)
    expect(body.stats.record).toMatchObject({
      ...{ sealed: 1, revealed: 1, undeclared: 1, outcomes: NOTHING, narrowed: 0, unattested: 0 },
    })
    expect(await seenBy()).toMatchObject({
      ...{ public_since: widenedAt, prediction: { counts: false } },
    })
    id = attested.id
    expect(await seenBy()).toMatchObject({ public_since: sealedAt, prediction: { counts: true } })
    await server.call('PUT', `/api/revelations/${id}`, {
      as: prophet,
      body: { visibility: 'friends' },
    })
    expect(await seenBy(prophet)).toMatchObject({ public_since: null, prediction: null })
  })

  it('counts what was sealed as a prediction, whatever it is called since, and nothing that became one', async () => {
    const prophet = await signedIn(server)
    const relabel = async (kind: string, to: string) => {
      id = (await createRevelation(server, prophet, { kind, visibility: 'public' })).id
      await server.call('PUT', `/api/revelations/${id}`, { as: prophet, body: { kind: to } })
    }
    await relabel('prediction', 'announcement')
    await createRevelation(server, prophet, { kind: 'announcement' })
    await relabel('announcement', 'prediction')
    server.clock.advance(2 * A_DAY_MS)
    await declare('fulfilled', undefined, prophet)
    expect((await seenBy()).prediction).toMatchObject({
      ...{ counts: false, declared: { outcome: 'fulfilled' } },
    })
    const { body } = await server.call('GET', `/api/auth/user/${prophet.id}`)
    expect(body.stats.record).toMatchObject({
      ...{ sealed: 1, revealed: 1, narrowed: 1, undeclared: 0, outcomes: NOTHING, unattested: 0 },
    })
  })

  it('counts neither what opened as it was sealed, nor, but apart, what nobody can attest', async () => {
    const prophet = await signedIn(server)
    const reveal_date = server.clock.now.toISOString()
    const { id: atOnce } = await predict(prophet, { reveal_date })
    const { id: old } = await predict(prophet)
    const change = { recordState: 'unattested', publicSince: null }
    await server.ctx.db.updateTable('revelations').set(change).where('id', '=', old).execute()
    const recordOf = async () =>
      (await server.call('GET', `/api/auth/user/${prophet.id}`)).body.stats.record
    expect(await recordOf()).toMatchObject({ sealed: 0, unattested: 1 })
    for (const gone of [atOnce, old]) {
      await server.call('DELETE', `/api/revelations/${gone}`, { as: prophet })
    }
    expect(await recordOf()).toMatchObject({ sealed: 1, withdrawn: 1, unattested: 0 })
  })
})
