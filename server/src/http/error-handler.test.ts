import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findFreePort } from '#testing/program.ts'
import { signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'

let server: TestApp
let lines: string[]

beforeAll(async () => {
  lines = []
  const log = { write: (line: string) => void lines.push(line) }
  server = await startTestServer({ rateLimits: true, log })
})
afterAll(() => server.close())

async function expectUnavailable(call: ReturnType<TestApp['call']>): Promise<void> {
  const { status, headers, body } = await call
  expect([status, body?.code, headers['retry-after']]).toEqual([503, 'unavailable', '5'])
  expect(body.error).toContain('Réessayez')
}

describe('a request that needs PostgreSQL', () => {
  const asVisitor = () => server.call('GET', '/api/revelations')
  const asPerson = async () => server.call('GET', '/api/auth/verify-token', { as: await person })
  const signIn = () =>
    server.call('POST', '/api/auth/login', { body: { email: 'a@x.fr', password: 'b' } })
  let person: ReturnType<typeof signedIn>

  beforeAll(() => {
    person = signedIn(server)
  })

  /** Nobody has a connection any more, and new ones are made like this. */
  async function withConnections(changes: object, work: () => Promise<void>): Promise<void> {
    await person
    const { pool } = server.ctx
    const options = pool.options as object
    const former = { ...options }
    const client = await pool.connect()
    Object.assign(options, changes)
    const others = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`
    await client.query(others)
    await client.query('select pg_terminate_backend(pg_backend_pid())').catch(() => undefined)
    client.release(true)
    try {
      await work()
    } finally {
      Object.assign(options, former)
    }
  }

  it('answers 503 and when to try again while PostgreSQL does not answer', async () => {
    const connectionString = `postgresql://nobody@127.0.0.1:${await findFreePort()}/nothing`
    await withConnections({ connectionString }, async () => {
      for (const call of [asVisitor, asPerson, signIn]) await expectUnavailable(call())
    })
    expect((await asPerson()).status).toBe(200)
    expect(lines.join('')).toContain('what an answer needs is unavailable')
  })

  it('answers 503 while PostgreSQL has no socket', async () => {
    const nowhere = { connectionString: 'postgresql://nobody@localhost/nothing?host=/nowhere' }
    await withConnections(nowhere, () => expectUnavailable(asVisitor()))
  })

  it('answers 503 when PostgreSQL takes too long', async () => {
    await withConnections({ statement_timeout: 50 }, async () => {
      const client = await server.ctx.pool.connect()
      try {
        await client.query('begin')
        await client.query('lock table revelations in access exclusive mode')
        await expectUnavailable(asVisitor())
      } finally {
        await client.query('rollback')
        client.release()
      }
    })
  })
})
