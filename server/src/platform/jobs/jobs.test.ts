import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { inTransaction } from '#server/context.ts'
import { handlers } from '#server/worker.ts'
import { startTestServer, type TestApp } from '#testing/test-server.ts'
import { defineJob, handleJob, startHandlers } from './jobs.ts'

let server: TestApp
const log: string[] = []

beforeAll(async () => {
  server = await startTestServer({ log: { write: (line: string) => void log.push(line) } })
})
afterAll(() => server.close())

describe('startQueue', () => {
  it('needs no second connection for a job that is queued in a transaction', async () => {
    const { pool } = server.ctx
    // All but one are taken: whatever asks the pool from inside the transaction waits for it, and it waits for the answer.
    // Nothing counts questions here: pg-boss asks some of its own, whenever they are due.
    const taken = await Promise.all(
      Array.from({ length: pool.options.max - 1 }, () => pool.connect()),
    )
    try {
      await inTransaction(server.ctx, async (tx) => {
        for (const { job } of handlers) {
          const anything = { ...job, payload: z.object({}) }
          await tx.jobs.enqueue(anything, {}, { startAfter: '2100-01-01T00:00:00.000Z' })
        }
      })
    } finally {
      for (const connection of taken) connection.release()
    }
  })

  it('logs an error of the queue in words', () => {
    // As pg-boss reports the failure of a worker: an object, not an error.
    const failure = { message: 'no room left', stack: '', queue: 'send-mail' }
    server.ctx.boss.emit('error', failure as unknown as Error)
    const line = log.find((one) => one.includes('job queue') && one.includes('no room left'))
    expect(line).toContain('send-mail')
    expect(line).not.toContain('[object Object]')
  })
})

describe('startHandlers', () => {
  it.each([1, 2, 5])('runs %i of many jobs at once and no more', async (concurrency) => {
    const { ctx } = server
    const job = defineJob(`count-${concurrency}`, z.object({}), { concurrency })
    await ctx.boss.createQueue(job.name)
    await ctx.jobs.enqueueAll(job, Array(4 * concurrency).fill({}))
    const full = Promise.withResolvers<void>()
    const done = Promise.withResolvers<void>()
    const counts = { running: 0, most: 0, ran: 0 }
    const counting = handleJob(job, async () => {
      counts.running += 1
      counts.most = Math.max(counts.most, counts.running)
      if (counts.running === concurrency) full.resolve()
      await full.promise
      // Long enough for one too many to be claimed meanwhile.
      for (let n = 0; n < 20; n += 1) await ctx.pool.query('select 1')
      counts.running -= 1
      counts.ran += 1
      if (counts.ran === 4 * concurrency) done.resolve()
    })
    await startHandlers(ctx.boss, ctx, [counting])
    await done.promise
    expect(counts).toEqual({ running: 0, most: concurrency, ran: 4 * concurrency })
  })
})
