import type pg from 'pg'
import type { Log } from '#server/platform/log.ts'
import { findLastRuns, type Lease, leaseOn } from './lease.ts'
import type { Schedule } from './work.ts'

const LEASE = 'schedules'
/** How long nothing is done by itself, at most, after the process that did it was killed. */
const LEASE_MS = 15_000
const LOOK_EVERY_MS = 5_000

interface Options {
  /** Nobody else can work on this database: what a predecessor held is taken at once. */
  isAlone?: boolean
  /** More often in tests, which wait for it. */
  lookEveryMs?: number
}

/**
 * Runs the schedules while this process holds their lease, and waits for it while another one does. The answer stops
 * them, waits for the runs under way and lets another process take over at once.
 */
export function startSchedules<C extends { log: Log; pool: pg.Pool }>(
  ctx: C,
  schedules: readonly Schedule<C>[],
  { isAlone = false, lookEveryMs = LOOK_EVERY_MS }: Options = {},
): () => Promise<void> {
  const lease = leaseOn(ctx.pool, LEASE, LEASE_MS)
  const ended = new Map<string, number>()
  let loops: Loop[] | undefined
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  /** What could not be written down is tried again with the next, unless it has run again since. */
  async function withEnded<T>(write: (runs: Map<string, number>) => Promise<T>): Promise<T> {
    const runs = new Map(ended)
    ended.clear()
    try {
      return await write(runs)
    } catch (error) {
      for (const [name, beganAt] of runs) if (!ended.has(name)) ended.set(name, beganAt)
      throw error
    }
  }

  async function noteEnd({ name, everyMs }: Schedule<C>, beganAt: number): Promise<void> {
    ended.set(name, beganAt)
    // One that runs more often is done again anyway before another process can take over.
    if (everyMs >= LEASE_MS) await withEnded((runs) => lease.renew(runs))
  }

  async function begin(): Promise<void> {
    const lastRuns = await findLastRuns(ctx.pool)
    if (isStopped) return
    ctx.log.info('this process runs the schedules')
    loops = schedules.map((schedule) => {
      const sinceMs = lastRuns.get(schedule.name) ?? Number.POSITIVE_INFINITY
      return startLoop(ctx, schedule, { firstInMs: schedule.everyMs - sinceMs, lease, noteEnd })
    })
  }

  function lose(): void {
    ctx.log.warn('another process runs the schedules now')
    for (const loop of loops ?? []) void loop.stop()
    loops = undefined
  }

  /** Answers how long to wait before looking again. */
  async function look(): Promise<number> {
    if (loops) {
      if (!(await withEnded((runs) => lease.renew(runs)))) lose()
      return lookEveryMs
    }
    const { isTaken, freeInMs } = await lease.take(isAlone)
    if (isTaken) await begin()
    return Math.min(freeInMs || lookEveryMs, lookEveryMs)
  }

  async function lookOnce(): Promise<void> {
    let nextInMs = lookEveryMs
    try {
      nextInMs = await look()
    } catch (error) {
      ctx.log.warn({ err: error }, 'the lease of the schedules could not be looked after')
    }
    if (!isStopped) timer = setTimeout(start, nextInMs)
  }
  let underWay: Promise<void> = Promise.resolve()
  function start(): void {
    underWay = lookOnce()
  }

  start()
  return async () => {
    isStopped = true
    clearTimeout(timer)
    await underWay
    await Promise.all((loops ?? []).map((loop) => loop.stop()))
    await withEnded((runs) => lease.release(runs))
  }
}

interface Loop {
  /** Waits for the run under way. */
  stop(): Promise<void>
}

interface LoopOptions<C> {
  firstInMs: number
  lease: Lease
  noteEnd(schedule: Schedule<C>, beganAt: number): Promise<void>
}

const HELD_AGAIN_MS = 1_000

function startLoop<C extends { log: Log }>(
  ctx: C,
  schedule: Schedule<C>,
  { firstInMs, lease, noteEnd }: LoopOptions<C>,
): Loop {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let underWay: Promise<void> = Promise.resolve()

  async function runOnce(): Promise<void> {
    const beganAt = performance.now()
    try {
      await schedule.run(ctx)
    } catch (error) {
      ctx.log.warn({ schedule: schedule.name, err: error }, 'a schedule will run again later')
    }
    try {
      await noteEnd(schedule, beganAt)
    } catch (error) {
      ctx.log.warn({ schedule: schedule.name, err: error }, 'that a schedule ran was not written')
    }
    wait(schedule.everyMs)
  }
  function start(): void {
    // A process that slept, or cannot reach PostgreSQL, looks after its lease first.
    if (lease.isHeld()) underWay = runOnce()
    else wait(HELD_AGAIN_MS)
  }
  function wait(ms: number): void {
    if (!isStopped) timer = setTimeout(start, ms)
  }

  wait(Math.max(0, firstInMs))
  return {
    stop() {
      isStopped = true
      clearTimeout(timer)
      return underWay
    },
  }
}
