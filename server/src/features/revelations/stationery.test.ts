import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  A_DAY_MS,
  createRevelation,
  type RevelationOverrides,
  revelationBody,
} from '#testing/factories.ts'
import { readZip } from '#testing/read-zip.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'

const START = new Date('2026-11-20T12:00:00.000Z')
const CHOSEN = { paper: 'kraft', ink: 'blue' }
let server: TestApp
let author: Person
let reader: Person

beforeAll(async () => {
  server = await startTestServer({ now: START })
  reader = await signedIn(server)
  author = await signedIn(server)
  await setPlan('standard')
})
afterAll(() => server.close())

async function setPlan(plan: string): Promise<void> {
  await server.ctx.pool.query(
    `insert into subscriptions (user_id, plan) values ($1, $2)
     on conflict (user_id) do update set plan = excluded.plan`,
    [author.id, plan],
  )
}

async function get(id: string, as?: Person) {
  return (await server.call('GET', `/api/revelations/${id}`, { as })).body.revelation
}

function put(id: string, body: object) {
  return server.call('PUT', `/api/revelations/${id}`, { as: author, body })
}

function post(body: RevelationOverrides, as = author) {
  return server.call('POST', '/api/revelations', { as, body: revelationBody(server, body) })
}

describe('the paper and the ink of a letter', () => {
  it('are the plain ones of every plan unless its author chose others', async () => {
    expect(await createRevelation(server, reader)).toMatchObject({ paper: 'wove', ink: 'black' })
    expect((await post({ paper: 'wove', ink: 'black' }, reader)).status).toBe(201)
    expect(await createRevelation(server, author, CHOSEN)).toMatchObject(CHOSEN)
  })

  it('are refused by the free plan, each in a sentence that names the plans', async () => {
    for (const fields of [{ paper: 'laid' }, { ink: 'blue' }]) {
      const { status, body } = await post(fields, reader)
      expect([status, body.code]).toEqual([403, 'feature_of_plan'])
      expect(body.error).toContain('Standard, Pro et Illimité')
    }
    const { status, body } = await post({ paper: 'papyrus', ink: 'rouge' })
    expect([status, body.fields]).toEqual([
      400,
      { paper: 'Ce papier n’existe pas', ink: 'Cette encre n’existe pas' },
    ])
  })

  it('are no part of the envelope: nobody but the author has them before the instant', async () => {
    const { id } = await createRevelation(server, author, CHOSEN)
    for (const as of [reader, undefined]) {
      const envelope = await get(id, as)
      expect(envelope).not.toHaveProperty('paper')
      expect(envelope).not.toHaveProperty('ink')
    }
    const { rows } = await server.ctx.pool.query('select * from revelations where id = $1', [id])
    const stored = Object.values(rows[0]).map((value) =>
      Buffer.isBuffer(value) ? value.toString('latin1') : String(value),
    )
    expect(stored.filter((value) => value.includes('kraft'))).toEqual([])
    server.clock.advance(2 * A_DAY_MS)
    expect(await get(id, reader)).toMatchObject(CHOSEN)
    expect((await put(id, { paper: 'wove' })).body.code).toBe('revelation_revealed')
    expect((await put(id, { ...CHOSEN, category: 'love' })).status).toBe(200)
    server.clock.now = START
  })

  it('change without a new version, and stay through one and through the end of the plan', async () => {
    const first = await createRevelation(server, author, CHOSEN)
    const { id, commitment } = first
    const changed = (await put(id, { paper: 'laid' })).body.revelation
    expect(changed).toMatchObject({ version: 1, commitment, paper: 'laid', ink: 'blue' })
    await setPlan('free')
    const again = (await put(id, { title: 'Un autre titre', paper: 'laid' })).body.revelation
    expect(again).toMatchObject({ version: 2, paper: 'laid', ink: 'blue' })
    expect((await put(id, { paper: 'kraft' })).body.code).toBe('feature_of_plan')
    expect((await put(id, { ink: 'black' })).body.revelation).toMatchObject({ ink: 'black' })
    expect((await put(id, { ink: 'blue' })).body.code).toBe('feature_of_plan')
    await setPlan('standard')
  })

  it('are in both exports, and on the page of the letter at home', async () => {
    const { id } = await createRevelation(server, author, CHOSEN)
    const { body } = await server.call('GET', '/api/auth/export', { as: author })
    const own = body.revelations.find((letter: { id: string }) => letter.id === id)
    expect(own).toMatchObject(CHOSEN)
    server.clock.advance(2 * A_DAY_MS)
    const marks = 'data-paper="kraft" data-ink="blue"'
    expect(await pageIn('/api/auth/export?format=zip', author)).toContain(marks)
    expect(await pageIn(`/api/revelations/${id}/archive`, reader)).toContain(marks)
    server.clock.now = START
  })
})

async function pageIn(url: string, as: Person): Promise<string> {
  const headers = { authorization: `Bearer ${as.token}` }
  const { rawPayload } = await server.app.inject({ url, headers })
  const files = readZip(rawPayload)
  const page = [...files.keys()].find((name) => name.endsWith('.html') && !name.includes('preuve'))
  return files.get(page ?? '')?.toString() ?? ''
}
