import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConfig } from '#server/config.ts'
import { startTestServer, type TestApp } from '#testing/test-server.ts'

let server: TestApp

beforeAll(async () => {
  const { operator } = readConfig({
    OPERATOR_NAME: 'Camille Dubois',
    OPERATOR_ADDRESS: ' Rue de la Loi 16, 1000 Bruxelles ',
    OPERATOR_EMAIL: 'camille@exemple.test',
    OPERATOR_HOSTING: 'Exemple SA, Namur',
  })
  server = await startTestServer({ config: { operator } })
})
afterAll(() => server.close())

it('says who runs the site as its operator wrote it, and null for what was not written', async () => {
  const { status, body } = await server.call('GET', '/api/site')
  expect(status).toBe(200)
  expect(body).toEqual({
    operator: {
      name: 'Camille Dubois',
      address: 'Rue de la Loi 16, 1000 Bruxelles',
      email: 'camille@exemple.test',
      company_number: null,
      hosting: 'Exemple SA, Namur',
    },
  })
})
