import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestApp } from '#testing/test-server.ts'

let server: TestApp

beforeAll(async () => {
  server = await startTestServer({ rateLimits: true })
})
afterAll(() => server.close())

it.each(['/api/revelations', '/%61pi/revelations', '/ap%69/auth/verify-token'])(
  'limits a request and forbids caches to store its answer, however its address is written: %s',
  async (url) => {
    const { headers } = await server.call('GET', url)
    expect(headers['x-ratelimit-limit']).toBe('600')
    expect(headers['cache-control']).toContain('no-store')
  },
)

it('sends the time of the server with each answer, to the millisecond', async () => {
  const { headers } = await server.call('GET', '/api/revelations')
  expect(Number(headers['server-time'])).toBe(server.clock.now.getTime())
})
