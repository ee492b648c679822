import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'
import { deleteEndedCounts } from './rate-counts.ts'

/** What each route allows in an hour, or in a minute. */
const LINKS_PER_HOUR = 20
const STRANGER = '198.51.100.7'

let first: TestApp
let second: TestApp

beforeAll(async () => {
  first = await startTestServer({ rateLimits: true })
  const { databaseUrl, dataDir, http } = first.ctx.config
  const config = { databaseUrl, dataDir, http: { ...http, trustedProxies: ['203.0.113.0/24'] } }
  second = await startTestServer({ rateLimits: true, config })
})
afterAll(async () => {
  await second.close()
  await first.close()
})

/** A visitor who forgot a password, at this address behind these proxies. */
function forget(server: TestApp, remoteAddress: string, forwardedFor?: string) {
  return server.app.inject({
    method: 'POST',
    url: '/api/auth/forgot-password',
    remoteAddress,
    headers: forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor },
    payload: { email: 'personne@exemple.test' },
  })
}

it('counts the calls of a route whichever process answers, and says how long to wait', async () => {
  for (let n = 0; n < LINKS_PER_HOUR; n += 1) {
    const { statusCode } = await forget(n % 2 ? first : second, STRANGER)
    expect(statusCode).toBe(200)
  }
  for (const server of [first, second, first]) {
    const refused = await forget(server, STRANGER)
    expect([refused.statusCode, refused.json().code]).toEqual([429, 'too_many_requests'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_500)
  }
  expect((await forget(first, '198.51.100.8')).statusCode).toBe(200)
})

it('counts a limit among the calls of a route whichever process answers', async () => {
  const person = await signedIn(first)
  const request = (server: TestApp, n: number) =>
    server.call('GET', `/api/auth/search?q=quelqu.un.${n}@exemple.test`, { as: person })
  for (let n = 0; n < 20; n += 1)
    expect((await request(n % 2 ? first : second, n)).status).toBe(200)
  expect((await request(first, 20)).status).toBe(429)
  expect((await request(second, 21)).status).toBe(429)
})

it('counts the searches of an account, and those of a network, whichever process answers', async () => {
  let calls = 0
  const search = async (path: string, { token }: Person, remoteAddress: string) => {
    calls += 1
    const headers = { authorization: `Bearer ${token}` }
    const { app } = calls % 2 ? first : second
    return (await app.inject({ url: path, headers, remoteAddress })).statusCode
  }
  const [home, elsewhere] = ['192.0.2.10', '192.0.2.11']
  const [one, two, three] = [await signedIn(first), await signedIn(first), await signedIn(first)]
  const paths = ['/api/revelations?q=zz', `/api/revelations/user/${one.id}?q=zz`]
  for (const person of [one, two]) {
    for (let n = 0; n < 30; n += 1) {
      expect(await search(paths[n % 2] as string, person, home)).toBe(200)
    }
    for (const path of paths) expect(await search(path, person, elsewhere)).toBe(429)
  }
  // Whoever makes more accounts in the same place has no more of them.
  expect(await search('/api/revelations?q=zz', three, home)).toBe(429)
  expect(await search('/api/revelations?q=zz', three, elsewhere)).toBe(200)
  // Reading is not searching, and people are looked for under a limit of their own.
  expect(await search('/api/revelations?q=%20', one, home)).toBe(200)
  expect(await search('/api/auth/search?q=zz', one, home)).toBe(200)
})

it('counts calls that come at the same moment each once', async () => {
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, n) => forget(n % 2 ? first : second, '198.51.100.9')),
  )
  const accepted = answers.filter(({ statusCode }) => statusCode === 200)
  expect(accepted).toHaveLength(LINKS_PER_HOUR)
})

it('counts what many networks of one site call together, and a site beside it apart', async () => {
  const from = (site: string, n: number, server = n % 2 ? first : second) =>
    forget(server, `2001:db8:${site}:${(n % 40).toString(16)}::1`)
  // Forty networks, each of which calls less often than it may.
  const answers = []
  for (let n = 0; n < 8 * LINKS_PER_HOUR; n += 1) answers.push((await from('a', n)).statusCode)
  expect(new Set(answers)).toEqual(new Set([200]))
  expect((await from('a', 1)).statusCode).toBe(429)
  expect((await from('a', 999, first)).statusCode).toBe(429)
  expect((await from('b', 1)).statusCode).toBe(200)
})

it('does not count against a site what one of its networks is refused', async () => {
  for (const [url, max] of [
    ['/api/auth/forgot-password', LINKS_PER_HOUR],
    ['/sitemap.xml', 60],
  ] as const) {
    const method = url.startsWith('/api') ? 'POST' : 'GET'
    const request = (network: number) =>
      first.app.inject({
        method,
        url,
        remoteAddress: `2001:db8:c:${network}::1`,
        ...(method === 'POST' && { payload: { email: 'personne@exemple.test' } }),
      })
    const statuses = []
    for (let n = 0; n < 8 * max + 1; n += 1) statuses.push((await request(1)).statusCode)
    expect(statuses.slice(max).every((status) => status === 429)).toBe(true)
    expect((await request(2)).statusCode).toBe(200)
  }
})

it('counts against a site as little of what one of its networks sends all at once', async () => {
  const from = (network: number) => forget(first, `2001:db8:d:${network}::1`)
  const calls = Array.from({ length: 9 * LINKS_PER_HOUR }, () => from(1))
  const accepted = (await Promise.all(calls)).filter(({ statusCode }) => statusCode === 200)
  expect(accepted).toHaveLength(LINKS_PER_HOUR)
  expect((await from(2)).statusCode).toBe(200)
})

it('believes a proxy that it was told of, and no other, about who asks', async () => {
  const remainingFor = (server: TestApp, address: string, forwardedFor: string) =>
    forget(server, address, forwardedFor).then(({ headers }) => headers['x-ratelimit-remaining'])
  const left = (calls: number) => String(LINKS_PER_HOUR - calls)
  expect(await remainingFor(second, '203.0.113.5', '192.0.2.1')).toBe(left(1))
  expect(await remainingFor(second, '203.0.113.6', '192.0.2.1')).toBe(left(2))
  expect(await remainingFor(second, '203.0.113.5', '192.0.2.2')).toBe(left(1))
  // Whoever writes the header before it reaches the proxy has no say either.
  expect(await remainingFor(second, '203.0.113.5', '192.0.2.99, 192.0.2.1')).toBe(left(3))
  expect(await remainingFor(first, '203.0.113.5', '192.0.2.1')).toBe(left(1))
  expect(await remainingFor(first, '203.0.113.5', '192.0.2.2')).toBe(left(2))
})

it('keeps neither who called nor from where, and forgets windows that have ended', async () => {
  const { pool } = first.ctx
  const { rows } = await pool.query('select key from rate_counts')
  expect(rows.length).toBeGreaterThan(3)
  for (const { key } of rows) expect(key.toString('latin1')).not.toContain('network')
  await pool.query("update rate_counts set ends_at = now() - interval '1 second'")
  expect((await forget(second, '198.51.100.8')).headers['x-ratelimit-remaining']).toBe('19')
  await deleteEndedCounts(first.ctx)
  expect((await pool.query('select from rate_counts')).rowCount).toBe(1)
})

it('counts in PostgreSQL what shields people, and in the process what shields the process', async () => {
  const { rowCount } = await first.ctx.pool.query('select from rate_counts')
  await first.call('GET', '/api/revelations')
  await first.call('GET', '/api/avatars/00000000-0000-4000-8000-000000000000/x.webp')
  const upload = '/api/uploads/00000000-0000-4000-8000-000000000000'
  for (const [method, url] of [
    ['POST', '/api/uploads'],
    ['PATCH', upload],
    ['POST', `${upload}/file`],
  ] as const) {
    const { headers } = await first.app.inject({ method, url })
    expect([url, headers['x-ratelimit-limit']]).toEqual([
      url,
      expect.stringMatching(/^(240|3000|600)$/),
    ])
  }
  expect((await first.ctx.pool.query('select from rate_counts')).rowCount).toBe(rowCount)
})
