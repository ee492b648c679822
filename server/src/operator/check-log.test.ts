import { afterAll, beforeAll, expect, it } from 'vitest'
import { growLog } from '#server/features/proofs/growth.service.ts'
import { checkLog } from '#server/features/proofs/log-checks.service.ts'
import { startTestServer, type TestApp } from '#testing/test-server.ts'

let server: TestApp

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

async function sealMany(count: number): Promise<void> {
  await server.ctx.pool.query(
    `insert into seals (revelation_id, version, kind, commitment, sealed_at)
     select gen_random_uuid(), 1, 'create', sha256(n::text::bytea), now()
     from generate_series(1, $1::integer) n`,
    [count],
  )
}

async function moveSeal(byDays: number): Promise<void> {
  await server.ctx.pool.query(
    `update seals set sealed_at = sealed_at + $1 * interval '1 day' where position = 9`,
    [byDays],
  )
}

async function problems(): Promise<string[]> {
  const found: string[] = []
  for await (const { name, problem } of checkLog(server.ctx)) if (problem) found.push(name)
  return found
}

it('finds a log whole, a seal that was altered, and one that never came to the log', async () => {
  const { pool } = server.ctx
  await sealMany(300)
  await growLog(server.ctx)
  await sealMany(1)
  expect(await problems()).toEqual([])
  await pool.query('alter table seals disable trigger user')
  await moveSeal(-1)
  expect(await problems()).toEqual(['leaf 8'])
  await moveSeal(1)
  await sealMany(1)
  expect(await problems()).toEqual(['the log'])
})
