import { fromKysely, type PgBoss, type SendOptions } from 'pg-boss'
import type { z } from 'zod'
import type { Db } from '#server/platform/database/database.ts'

/** What may be queued: its name is the sentence of what it does, its payload is ids only. */
export interface Job<P extends object> {
  name: string
  payload: z.ZodType<P>
  /** How many of them one process runs at once. */
  concurrency: number
  /** After this long a run is taken for lost and started again. */
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
  /** The same for many at once, in one statement. */
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
