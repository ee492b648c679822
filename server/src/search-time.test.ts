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
  const client = await server.ctx.pool.connect()
  try {
    await client.query('begin')
    await client.query('lock table letter_grams in access exclusive mode')
    const searches = Array.from({ length: 40 }, (_, n) =>
      server.call('GET', `/api/revelations?q=lettre${n}`),
    )
    const others = Array.from({ length: 10 }, () => server.call('GET', '/api/revelations'))
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual(others.map(() => 200))
    for (const { status, body } of await Promise.all(searches)) {
      expect([status, body.code]).toEqual([503, 'search_too_slow'])
    }
  } finally {
    await client.query('rollback')
    client.release()
  }
})
