import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestApp } from '#testing/test-server.ts'

let server: TestApp

beforeAll(async () => {
  server = await startTestServer({ rateLimits: true })
})
afterAll(() => server.close())

it.each(['/api/revelations', '/%61pi/revelations', '/ap%69/auth/verify-token'])(
  'is limited and kept by nobody, however its address is written: %s',
  async (url) => {
    const { headers } = await server.call('GET', url)
    expect(headers['x-ratelimit-limit']).toBe('600')
    expect(headers['cache-control']).toContain('no-store')
  },
)

it('says when it left, to the millisecond', async () => {
  const { headers } = await server.call('GET', '/api/revelations')
  expect(Number(headers['server-time'])).toBe(server.clock.now.getTime())
})
