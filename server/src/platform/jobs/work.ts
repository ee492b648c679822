import type { JobResult, PgBoss } from 'pg-boss'
import type { Job } from '#server/platform/jobs/jobs.ts'
import type { Log } from '#server/platform/log.ts'

/** What happens when a job runs. `C` is the application's context. */
export interface Handler<C> {
  job: Job<object>
  handle(ctx: C, payload: never): Promise<void>
  /** What a job waits for, in its place, before it runs: it is not tried for nothing. */
  ready?(ctx: C): Promise<void>
}

export function handles<C, P extends object>(
  job: Job<P>,
  handle: (ctx: C, payload: P) => Promise<void>,
  ready?: (ctx: C) => Promise<void>,
): Handler<C> {
  return { job, handle, ...(ready && { ready }) } as Handler<C>
}

/** Something done again and again, by one worker at a time; doing it twice must change nothing. */
export interface Schedule<C> {
  name: string
  everyMs: number
  run(ctx: C): Promise<unknown>
}

/**
 * Starts taking jobs from the queue, as many at once as the job allows. A handler that throws is tried again;
 * one that returns is done.
 */
export async function takeJobs<C extends { log: Log }>(
  boss: PgBoss,
  ctx: C,
  handlers: readonly Handler<C>[],
): Promise<void> {
  for (const handler of handlers) {
    const { job } = handler
    for (const batchSize of shareOut(job.concurrency)) {
      const options = {
        pollingIntervalSeconds: 1,
        batchSize,
        // A full batch says that more wait: the next is taken at once.
        burstWhenBatchFull: true,
        perJobResults: true,
      } as const
      await boss.work<object, never, typeof options>(job.name, options, (batch) =>
        Promise.all(batch.map((taken) => runJob(ctx, handler, taken))),
      )
    }
  }
}

/** Between two loops: one goes on while a job of the other’s batch takes its time. */
function shareOut(concurrency: number): number[] {
  return [Math.ceil(concurrency / 2), Math.floor(concurrency / 2)].filter((size) => size > 0)
}

async function runJob<C extends { log: Log }>(
  ctx: C,
  { job, handle, ready }: Handler<C>,
  taken: { id: string; data: object },
): Promise<JobResult> {
  try {
    await ready?.(ctx)
    await handle(ctx, job.payload.parse(taken.data) as never)
    return { id: taken.id, status: 'completed' }
  } catch (error) {
    ctx.log.warn({ job: job.name, id: taken.id, err: error }, 'a job will be tried again')
    return { id: taken.id, status: 'failed', output: { error: String(error) } }
  }
}
