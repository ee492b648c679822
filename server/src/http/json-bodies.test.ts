import { afterAll, beforeAll, expect, it } from 'vitest'
import { createRevelation } from '#testing/factories.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'

const headers = { 'content-type': 'application/json' }
let server: TestApp
let person: Person

beforeAll(async () => {
  server = await startTestServer()
  person = await signedIn(server)
})
afterAll(() => server.close())

it('takes an empty body for none, as clients that announce JSON on every call send it', async () => {
  const { id } = await createRevelation(server, person)
  const view = await server.call('POST', `/api/revelations/${id}/view`, { headers })
  expect([view.status, view.body]).toEqual([200, { views_count: 1 }])
  const gone = await server.call('DELETE', `/api/revelations/${id}`, { as: person, headers })
  expect(gone.body).toEqual({ success: true })
})

it('still asks for a body where one is needed, and for one that can be read', async () => {
  for (const body of [undefined, '{', '{"__proto__":{}}']) {
    const { status } = await server.call('POST', '/api/auth/login', { headers, body })
    expect([body, status]).toEqual([body, 400])
  }
})

it.each([
  ['POST', '/api/email/notify-revelation'],
  ['POST', '/api/jobs/batch-status'],
  ['DELETE', '/api/delete'],
])('asks a visitor to sign in before it looks at the body of %s %s', async (method, url) => {
  expect((await server.call(method, url, { body: {} })).status).toBe(401)
})
