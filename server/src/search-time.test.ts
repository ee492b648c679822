import { afterAll, beforeAll, expect, it } from 'vitest'
import { signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'

let server: TestApp

beforeAll(async () => {
  server = await startTestServer({ config: { searchTimeoutMs: 50 } })
})
afterAll(() => server.close())

it('gives up a search that takes too long with a sentence, and nothing else', async () => {
  const person = await signedIn(server)
  const paths = [
    '/api/revelations?q=lettre',
    `/api/revelations/user/${person.id}?q=lettre`,
    '/api/auth/search?q=personne',
  ]
  const answers = () => Promise.all(paths.map((path) => server.call('GET', path)))
  const client = await server.ctx.pool.connect()
  try {
    await client.query('begin')
    await client.query('lock table letter_grams, users in access exclusive mode')
    for (const { status, body } of await answers()) {
      expect([status, body.code]).toEqual([503, 'search_too_slow'])
      expect(body.error).toContain('Cette recherche prend trop de temps')
    }
  } finally {
    await client.query('rollback')
    client.release()
  }
})

it('lets nobody else wait for searches, however many there are', async () => {
  const patient = await startTestServer({ config: { searchTimeoutMs: 60_000 } })
  try {
    const person = await signedIn(patient)
    const { db, bitmaps } = patient.ctx.searches
    const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
    const taken = [db, db, db, bitmaps, bitmaps, bitmaps].map(async (kind) => {
      const { promise: isTaken, resolve: take } = Promise.withResolvers<void>()
      const held = kind.connection().execute(async () => {
        take()
        await isOver
      })
      await isTaken
      return held
    })
    const free = Promise.allSettled(taken)
    let answered = 0
    const searches = Array.from({ length: 20 }, async (_, n) => {
      const { status } = await patient.call('GET', `/api/revelations?q=lettre${n}`, { as: person })
      answered += 1
      return status
    })
    for (const limit of [1, 2, 3, 4]) {
      const path = `/api/revelations?limit=${limit}`
      expect((await patient.call('GET', path, { as: person })).status).toBe(200)
    }
    expect(answered).toBe(0)
    end()
    await free
    expect(await Promise.all(searches)).toEqual(searches.map(() => 200))
  } finally {
    await patient.close()
  }
})
