import type pg from 'pg'
import { fromKysely, type JobResult, PgBoss, type SendOptions } from 'pg-boss'
import type { z } from 'zod'
import type { Db } from '#server/platform/database/db.ts'
import { listen } from '#server/platform/database/listen.ts'
import type { Log } from '#server/platform/log.ts'

/** A kind of work in the queue: the name says what the job does, the payload carries ids only. */
export interface Job<P extends object> {
  name: string
  payload: z.ZodType<P>
  /** How many of them one process runs at once. */
  concurrency: number
  /** After this long a run counts as lost and is started again. */
  expireInSeconds: number
  retryLimit: number
  /** First wait before a retry; it doubles up to an hour. */
  retryDelaySeconds: number
}

type JobOptions = Partial<
  Pick<Job<object>, 'concurrency' | 'expireInSeconds' | 'retryLimit' | 'retryDelaySeconds'>
>

export function defineJob<P extends object>(
  name: string,
  payload: z.ZodType<P>,
  options: JobOptions = {},
): Job<P> {
  return {
    name,
    payload,
    concurrency: 1,
    expireInSeconds: 300,
    retryLimit: 20,
    retryDelaySeconds: 5,
    ...options,
  }
}

export interface Jobs {
  /** Queues a job in the transaction this `Jobs` belongs to: it exists if and only if the change commits. */
  enqueue<P extends object>(
    job: Job<P>,
    payload: P,
    options?: Pick<SendOptions, 'priority' | 'singletonKey' | 'startAfter'>,
  ): Promise<void>
  /** Queues many jobs in one statement. */
  enqueueAll<P extends object>(
    job: Job<P>,
    payloads: readonly P[],
    options?: Pick<SendOptions, 'priority'>,
  ): Promise<void>
}

/** The queue as seen through one connection or transaction. */
export function jobsOn(boss: PgBoss, db: Db): Jobs {
  return {
    async enqueue(job, payload, options = {}) {
      await boss.send(job.name, job.payload.parse(payload), { ...options, db: plain(db) })
    },
    async enqueueAll(job, payloads, options = {}) {
      if (payloads.length === 0) return
      const jobs = payloads.map((payload) => ({ ...options, data: job.payload.parse(payload) }))
      await boss.insert(job.name, jobs, { db: plain(db) })
    },
  }
}

// pg-boss reads its own snake_case columns: the camelCase plugin must not touch its rows.
function plain(db: Db) {
  return fromKysely(db.withoutPlugins())
}

const HEARTBEAT_SECONDS = 15
const A_YEAR_SECONDS = 365 * 24 * 3600

/**
 * Starts pg-boss on the application's own pool and ensures that every declared job has its queue. Who runs jobs is told
 * of each that is queued, and watches over those that run.
 */
export async function startQueue(
  pool: pg.Pool,
  jobs: readonly Job<object>[],
  { runsJobs, log }: { runsJobs: boolean; log: Log },
): Promise<PgBoss> {
  const boss = new PgBoss({
    db: {
      executeSql: (text, values) => pool.query(text, values),
      listen: (channel, onPayload, onReconnect) =>
        listen(pool, log, channel, { onPayload, onReconnect }),
    },
    useListenNotify: runsJobs,
    supervise: runsJobs,
    schedule: false,
    superviseIntervalSeconds: 10,
    monitorIntervalSeconds: 10,
  })
  // Not always an `Error`: a failure of a queue's worker is an object that names the queue.
  boss.on('error', (error) => log.warn({ err: error }, 'job queue'))
  boss.on('warning', (warning) => log.warn({ warning }, 'job queue'))
  await boss.start()
  const existing = new Set((await boss.getQueues()).map(({ name }) => name))
  for (const job of jobs) await ensureQueue(boss, job, existing.has(job.name))
  // Any question makes pg-boss remember the queue. What is queued in a transaction would ask the pool for it, on a second
  // connection: as many transactions as the pool has connections would wait for each other.
  for (const { name } of jobs) await boss.getJobById(name, NO_JOB)
  return boss
}

const NO_JOB = '00000000-0000-0000-0000-000000000000'

async function ensureQueue(boss: PgBoss, job: Job<object>, exists: boolean): Promise<void> {
  const queue = {
    retryLimit: job.retryLimit,
    retryDelay: job.retryDelaySeconds,
    retryBackoff: true,
    retryDelayMax: 3600,
    expireInSeconds: job.expireInSeconds,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    notify: true,
    deleteAfterSeconds: 24 * 3600,
    // A job that waits for a worker is never deleted, however long no worker runs.
    retentionSeconds: A_YEAR_SECONDS,
  }
  if (exists) await boss.updateQueue(job.name, queue)
  else await boss.createQueue(job.name, queue)
}

/** A job with the function that runs it. `C` is the application's context. */
export interface Handler<C> {
  job: Job<object>
  handle(ctx: C, payload: never): Promise<void>
  /** Resolves when a run can succeed: until then the job waits, instead of failing and being retried. */
  ready?(ctx: C): Promise<void>
}

export function handleJob<C, P extends object>(
  job: Job<P>,
  handle: (ctx: C, payload: P) => Promise<void>,
  ready?: (ctx: C) => Promise<void>,
): Handler<C> {
  return { job, handle, ...(ready && { ready }) } as Handler<C>
}

/** How often a worker polls its queue: for what nobody tells it of (jobs to try again, or for later), or for all. */
const POLL_EVERY_SECONDS = { notified: 5, unnotified: 1 }

interface Options {
  /** Longer in tests, which see that nothing waits for it. */
  pollEverySeconds?: typeof POLL_EVERY_SECONDS
}

/**
 * Starts running jobs from the queue, as many at once as each job allows. A handler that throws is retried; one that
 * returns is done.
 */
export async function startHandlers<C extends { log: Log; stopping: AbortSignal }>(
  boss: PgBoss,
  ctx: C,
  handlers: readonly Handler<C>[],
  { pollEverySeconds = POLL_EVERY_SECONDS }: Options = {},
): Promise<void> {
  for (const handler of handlers) {
    const { job } = handler
    for (const batchSize of splitConcurrency(job.concurrency)) {
      const options = {
        pollingIntervalSeconds: pollEverySeconds.unnotified,
        notifyPollingIntervalSeconds: pollEverySeconds.notified,
        batchSize,
        perJobResults: true,
      } as const
      const worker = boss.work<object, never, typeof options>(job.name, options, async (batch) => {
        const results = await Promise.all(batch.map((queued) => runJob(ctx, handler, queued)))
        // Jobs that were queued at once are told of once: it fetches until there are no more.
        if (!ctx.stopping.aborted) boss.notifyWorker(await worker)
        return results
      })
      await worker
    }
  }
}

/** Two loops share the concurrency: one goes on while the batch of the other waits for a slow job. */
function splitConcurrency(concurrency: number): number[] {
  return [Math.ceil(concurrency / 2), Math.floor(concurrency / 2)].filter((size) => size > 0)
}

async function runJob<C extends { log: Log }>(
  ctx: C,
  { job, handle, ready }: Handler<C>,
  queued: { id: string; data: object },
): Promise<JobResult> {
  try {
    await ready?.(ctx)
    await handle(ctx, job.payload.parse(queued.data) as never)
    return { id: queued.id, status: 'completed' }
  } catch (error) {
    ctx.log.warn({ job: job.name, id: queued.id, err: error }, 'a job will be tried again')
    return { id: queued.id, status: 'failed', output: { error: String(error) } }
  }
}
