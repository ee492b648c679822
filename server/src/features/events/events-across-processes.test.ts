import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type EventPage, openPage } from '#testing/event-page.ts'
import { createRevelation } from '#testing/factories.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'

let first: TestApp
let second: TestApp
let origins: string[]
let author: Person
let id: string

beforeAll(async () => {
  first = await startTestServer()
  const { databaseUrl, dataDir } = first.ctx.config
  second = await startTestServer({ config: { databaseUrl, dataDir } })
  origins = [await first.listen(), await second.listen()]
  author = await signedIn(first)
})
afterAll(async () => {
  await second.close()
  await first.close()
})
beforeEach(async () => {
  id = (await createRevelation(first, author)).id
})

function comment(server: TestApp, content: string) {
  const body = { revelation_id: id, content }
  return server.call('POST', '/api/comments', { as: author, body })
}

async function nextCommentsCount(page: EventPage): Promise<number | undefined> {
  const { data } = await page.next((event) => event.data.changed?.includes('comments') ?? false)
  return data.comments_count
}

it('sends what happens in one process to the pages of the other', async () => {
  const reader = await signedIn(second)
  const pages = await Promise.all(origins.map((origin) => openPage(origin, reader, [id])))
  await comment(first, 'Du premier')
  expect(await Promise.all(pages.map(nextCommentsCount))).toEqual([1, 1])
  await comment(second, 'Du second')
  expect(await Promise.all(pages.map(nextCommentsCount))).toEqual([2, 2])
  await first.call('POST', '/api/auth/logout', { as: reader })
  await Promise.all(pages.map(({ ended }) => ended))
})

it('connects again after a loss, and sends pages `ready`: they may have missed something', async () => {
  const page = await openPage(origins[1] ?? '', author)
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query like 'listen %'`.execute(first.ctx.db)
  await page.next(({ name }) => name === 'ready')
  await comment(first, 'Encore là')
  expect(await nextCommentsCount(page)).toBe(1)
  page.leave()
})

it('grants nothing by a forged notification, and ignores nonsense', async () => {
  const stranger = await signedIn(first)
  const hidden = await createRevelation(first, author, { visibility: 'private' })
  const page = await openPage(origins[1] ?? '', stranger, [hidden.id, id])
  const forged = { type: 'revelation', id: hidden.id, authorId: stranger.id, change: 'comments' }
  for (const payload of ['rien', JSON.stringify(forged)]) {
    await sql`select pg_notify('revelations_events', ${payload})`.execute(first.ctx.db)
  }
  await comment(first, 'Pour de vrai')
  expect(await nextCommentsCount(page)).toBe(1)
  expect(JSON.stringify(page.events)).not.toContain(hidden.id)
  page.leave()
})

it('ends streams at once when it stops', async () => {
  const { databaseUrl, dataDir } = first.ctx.config
  const third = await startTestServer({ config: { databaseUrl, dataDir } })
  const page = await openPage(await third.listen(), author)
  await third.close()
  await page.ended
})
