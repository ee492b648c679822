import { afterAll, beforeAll, expect, it } from 'vitest'
import { A_DAY_MS, createRevelation } from '#test/factories.ts'
import { signedIn, startTestServer, type TestApp } from '#test/test-server.ts'
import { forgetOldMails } from './mails.service.ts'

let server: TestApp

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

async function templates(): Promise<string[]> {
  const rows = await server.ctx.db.selectFrom('mails').select('template').execute()
  return rows.map(({ template }) => template).sort()
}

it('mails are forgotten ninety days after they are done, but those that wait or carry a delivery', async () => {
  const author = await signedIn(server)
  await createRevelation(server, author)
  await server.runJobs()
  server.clock.advance(A_DAY_MS)
  await server.runJobs()
  const all = await templates()
  expect(all).toEqual(expect.arrayContaining(['delivered', 'delivery', 'sealed']))
  await server.ctx.db
    .updateTable('mails')
    .set({ state: 'failed', sentAt: null })
    .where('template', '=', 'sealed')
    .execute()
  await server.ctx.db
    .updateTable('mails')
    .set({ state: 'queued', sentAt: null })
    .where('template', '=', 'delivered')
    .execute()
  server.clock.advance(89 * A_DAY_MS)
  await forgetOldMails(server.ctx)
  expect(await templates()).toEqual(all)
  server.clock.advance(2 * A_DAY_MS)
  await forgetOldMails(server.ctx)
  expect(await templates()).toEqual(['delivered', 'delivery'])
})
