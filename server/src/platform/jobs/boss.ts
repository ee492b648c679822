import type pg from 'pg'
import { PgBoss } from 'pg-boss'
import type { Job } from '#server/platform/jobs/jobs.ts'
import type { Log } from '#server/platform/log.ts'

const DEAD_AFTER_SILENT_SECONDS = 15
const A_YEAR_SECONDS = 365 * 24 * 3600

/** Starts the queue on the application's own pool and makes sure that every declared job has its queue. */
export async function startBoss(
  pool: pg.Pool,
  jobs: readonly Job<object>[],
  options: { supervise: boolean; log: Log },
): Promise<PgBoss> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values) },
    supervise: options.supervise,
    schedule: false,
    superviseIntervalSeconds: 10,
    monitorIntervalSeconds: 10,
  })
  // Not always an `Error`: what a queue’s worker throws comes as an object with its name.
  boss.on('error', (error) => options.log.warn({ err: error }, 'job queue'))
  await boss.start()
  for (const job of jobs) await ensureQueue(boss, job)
  return boss
}

async function ensureQueue(boss: PgBoss, job: Job<object>): Promise<void> {
  const queue = {
    retryLimit: job.retryLimit,
    retryDelay: job.retryDelaySeconds,
    retryBackoff: true,
    retryDelayMax: 3600,
    expireInSeconds: job.expireInSeconds,
    heartbeatSeconds: DEAD_AFTER_SILENT_SECONDS,
    deleteAfterSeconds: 24 * 3600,
    // A job that waits for a worker must never be forgotten, however long the worker was away.
    retentionSeconds: A_YEAR_SECONDS,
  }
  if (await boss.getQueue(job.name)) await boss.updateQueue(job.name, queue)
  else await boss.createQueue(job.name, queue)
}
