import type { PgBoss } from 'pg-boss'
import type { Job } from '#server/platform/jobs/jobs.ts'
import type { Log } from '#server/platform/log.ts'

/** What happens when a job runs. `C` is the application's context. */
export interface Handler<C> {
  job: Job<object>
  handle(ctx: C, payload: never): Promise<void>
}

export function handles<C, P extends object>(
  job: Job<P>,
  handle: (ctx: C, payload: P) => Promise<void>,
): Handler<C> {
  return { job, handle } as Handler<C>
}

/** Something done again and again by every worker; doing it twice must change nothing. */
export interface Schedule<C> {
  name: string
  everyMs: number
  run(ctx: C): Promise<unknown>
}

/** Starts taking jobs from the queue. A handler that throws is tried again; one that returns is done. */
export async function takeJobs<C extends { log: Log }>(
  boss: PgBoss,
  ctx: C,
  handlers: readonly Handler<C>[],
): Promise<void> {
  for (const { job, handle } of handlers) {
    await boss.work<object>(
      job.name,
      { pollingIntervalSeconds: 1, localConcurrency: job.concurrency },
      async ([taken]) => {
        if (!taken) return
        const payload = job.payload.parse(taken.data) as never
        try {
          await handle(ctx, payload)
        } catch (error) {
          ctx.log.warn({ job: job.name, id: taken.id, err: error }, 'a job will be tried again')
          throw error
        }
      },
    )
  }
}

/** Starts schedules; the answer stops them and waits for the runs under way. */
export function startSchedules<C extends { log: Log }>(
  ctx: C,
  schedules: readonly Schedule<C>[],
): () => Promise<void> {
  const loops = schedules.map((schedule) => startLoop(ctx, schedule))
  return async () => {
    await Promise.all(loops.map((stop) => stop()))
  }
}

function startLoop<C extends { log: Log }>(ctx: C, schedule: Schedule<C>): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let underWay: Promise<void> = Promise.resolve()

  async function runOnce(): Promise<void> {
    try {
      await schedule.run(ctx)
    } catch (error) {
      ctx.log.warn({ schedule: schedule.name, err: error }, 'a schedule will run again later')
    }
    if (!isStopped) timer = setTimeout(start, schedule.everyMs)
  }
  function start(): void {
    underWay = runOnce()
  }

  start()
  return () => {
    isStopped = true
    clearTimeout(timer)
    return underWay
  }
}
