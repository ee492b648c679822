import { EventEmitter, once } from 'node:events'
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

  it('tells workers of every job', async () => {
    const queues = await server.ctx.boss.getQueues(handlers.map(({ job }) => job.name))
    expect(queues.filter(({ notify }) => notify)).toHaveLength(handlers.length)
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

  it('waits for no poll of the queue: it is told of jobs, and those queued at once follow each other', async () => {
    const { job, ran } = await startNotified('told')
    await inTransaction(server.ctx, (tx) => tx.jobs.enqueueAll(job, Array(9).fill({})))
    await ran(9)
  })

  it('misses no job when the connection by which it is told is lost', async () => {
    const { ctx } = server
    const { job, ran } = await startNotified('missed')
    const { rowCount } = await ctx.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name like 'revelations listens to pgboss%'`,
    )
    expect(rowCount).toBe(1)
    await ctx.jobs.enqueue(job, {})
    await ran(1)
  })

  /** A job whose worker polls the queue once an hour, and what resolves when so many have run. */
  async function startNotified(name: string) {
    const { ctx } = server
    const job = defineJob(name, z.object({}))
    await ctx.boss.createQueue(name, { notify: true })
    const runs = new EventEmitter()
    let count = 0
    const handler = handleJob(job, async () => {
      count += 1
      runs.emit('run')
    })
    const pollEverySeconds = { notified: 3_600, unnotified: 3_600 }
    await startHandlers(ctx.boss, ctx, [handler], { pollEverySeconds })
    const hasPolled = () =>
      ctx.boss.getWipData().some((worker) => worker.name === name && worker.lastFetchedOn !== null)
    while (!hasPolled()) await ctx.pool.query('select 1')
    async function ran(wanted: number): Promise<void> {
      while (count < wanted) await once(runs, 'run')
    }
    return { job, ran }
  }
})
