import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Person, startTestServer, type TestApp } from '#testing/test-server.ts'
import { seedAlbum } from './seed-album.ts'
import { SEED_DOMAIN, SEED_PASSWORD, seedDatabase } from './seed-database.ts'

let server: TestApp

beforeAll(async () => {
  server = await startTestServer()
  // Twice: the second takes the place of the first.
  await seedDatabase(server.ctx, { users: 12, revelations: 50 })
  await seedDatabase(server.ctx, { users: 40, revelations: 300 })
})
afterAll(() => server.close())

async function signInAsFirst(): Promise<Person> {
  const { body } = await server.call('POST', '/api/auth/login', {
    body: { email: `compte0@${SEED_DOMAIN}`, password: SEED_PASSWORD },
  })
  return { ...body.user, token: body.token }
}

it('counts under each revelation what is there', async () => {
  const { rows } = await sql<{ reactions: number; comments: number }>`
    select sum(reactions_count)::int as reactions, sum(comments_count)::int as comments
    from revelations`.execute(server.ctx.db)
  expect(rows[0]?.reactions).toBeGreaterThan(100)
  expect(rows[0]?.comments).toBeGreaterThan(100)
  const { rows: wrong } = await sql`
    select id from revelations where
      reactions_count <> (select count(*) from reactions where revelation_id = revelations.id)
      or comments_count <> (select count(*) from comments where revelation_id = revelations.id)
      or (record_state = 'counted') <> (kind = 'prediction' and visibility = 'public' and reveal_at > created_at)
      or visibility = 'public' and kind not in ('prediction', 'announcement')`.execute(
    server.ctx.db,
  )
  expect(wrong).toEqual([])
})

it('seals in the order of the log, so that no two proofs contradict each other', async () => {
  const { rows } = await sql`
    select position from (
      select position, sealed_at, lag(sealed_at) over (order by position) as before
      from seals join revelations on revelations.id = revelation_id
    ) as seal where sealed_at < before`.execute(server.ctx.db)
  expect(rows).toEqual([])
})

it('ties people as the product would: a pair is related or waits, never both', async () => {
  const { rows } = await sql`
    select least(a, b), greatest(a, b) from (
      select low_user_id as a, high_user_id as b from relationships
      union all
      select sender_id, receiver_id from relationship_requests
    ) as ties group by 1, 2 having count(*) > 1`.execute(server.ctx.db)
  expect(rows).toEqual([])
})

it('gives the first account people, requests and letters to look at', async () => {
  const first = await signInAsFirst()
  const get = async (path: string) => (await server.call('GET', path, { as: first })).body
  expect((await get('/api/relationships')).relationships.length).toBeGreaterThanOrEqual(5)
  const { requests, sent } = await get('/api/relationships/requests')
  expect([requests.length, sent.length].every((count) => count > 0)).toBe(true)
  const { stats } = await get(`/api/auth/user/${first.id}`)
  expect(stats.total_revelations).toBeGreaterThan(0)
  expect(stats.record.sealed).toBeGreaterThan(0)
})

it('leaves nobody to be reminded of what they did not open', async () => {
  await server.runJobs()
  const { rows } = await sql`select template from mails where template = 'follow-up'`.execute(
    server.ctx.db,
  )
  expect(rows).toEqual([])
})

it('seeds one person alone', async () => {
  await seedDatabase(server.ctx, { users: 1, revelations: 3 })
  const first = await signInAsFirst()
  const { body } = await server.call('GET', '/api/relationships', { as: first })
  expect(body.relationships).toEqual([])
})

it('seals an album of five pictures for one of them', async () => {
  const first = await signInAsFirst()
  await seedAlbum(server.ctx, first.id)
  const { body } = await server.call('GET', '/api/revelations', { as: first })
  const album = body.revelations.find(({ files }: { files?: object[] }) => files)
  expect(album.files).toMatchObject([
    { caption: 'Six heures, la rosée' },
    {},
    { caption: null },
    {},
    {},
  ])
  // Whoever seeds again takes it away with its author.
  await seedDatabase(server.ctx, { users: 1, revelations: 0 })
  const { rows } = await server.ctx.pool.query('select from revelation_files')
  expect(rows).toEqual([])
})
