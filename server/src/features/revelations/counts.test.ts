import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Kind } from '#contract/kinds.ts'
import { insertRows, rowOf } from '#testing/rows.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'
import { addUpCounts } from './lists.service.ts'

let server: TestApp
let author: Person

beforeAll(async () => {
  server = await startTestServer()
  author = await signedIn(server)
})
afterAll(() => server.close())

async function counted(kind?: Kind) {
  const query = kind ? `?kind=${kind}` : ''
  return (await server.call('GET', `/api/revelations${query}`)).body.counts
}

async function inTruth(kind?: Kind) {
  const { rows } = await server.ctx.pool.query(
    "select count(*)::int as found, (count(*) filter (where reveal_at <= $1))::int as revealed from revelations where visibility = 'public' and kind = coalesce($2, kind)",
    [server.clock.now, kind ?? null],
  )
  const { found, revealed } = rows[0]
  return { found, revealed, pending: found - revealed }
}

it('counts every row while many write at once and the worker adds up', async () => {
  const { pool } = server.ctx
  const aboutNow = () =>
    new Date(server.clock.now.getTime() + Math.round((Math.random() - 0.5) * 4) * 1_000)
  async function write(): Promise<void> {
    for (let step = 0; step < 10; step += 1) {
      const row = rowOf(server, { authorId: author.id, revealAt: aboutNow() })
      await insertRows(server, [row])
      if (step % 3 === 0) {
        await pool.query(
          "update revelations set category = $2, kind = 'announcement', reveal_at = $3 where id = $1",
          [row.id, 'love', aboutNow()],
        )
      }
      if (step % 4 === 0) {
        await pool.query("update revelations set visibility = 'friends' where id = $1", [row.id])
      }
      if (step % 5 === 0) await pool.query('delete from revelations where id = $1', [row.id])
    }
  }
  let isWriting = true
  async function addUp(): Promise<void> {
    while (isWriting) {
      server.clock.advance(100)
      await Promise.all([addUpCounts(server.ctx), addUpCounts(server.ctx)])
    }
  }
  const adding = addUp()
  await Promise.all(Array.from({ length: 12 }, write))
  isWriting = false
  await adding
  expect(await counted()).toEqual(await inTruth())
  await addUpCounts(server.ctx)
  expect(await counted()).toEqual(await inTruth())
  expect(await counted('announcement')).toEqual(await inTruth('announcement'))
  const { rows } = await pool.query('select count(*)::int as left from public_count_changes')
  expect(rows[0].left).toBe(0)
  server.clock.advance(-5_000)
  expect(await counted()).toEqual(await inTruth())
})

it('counts nothing of a deleted author', async () => {
  await server.ctx.pool.query('delete from users where id = $1', [author.id])
  expect(await counted()).toEqual({ found: 0, revealed: 0, pending: 0 })
})

it('writes nothing when there is nothing to add up', async () => {
  await addUpCounts(server.ctx)
  const { rows: before } = await server.ctx.pool.query('select xmin, * from public_counts_until')
  await addUpCounts(server.ctx)
  const { rows: after } = await server.ctx.pool.query('select xmin, * from public_counts_until')
  expect(after).toEqual(before)
})
