import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { shareLoads } from '#server/platform/database/database.ts'
import type { Log } from '#server/platform/log.ts'

/** Work that one process of all repeats; a second run of it must change nothing. */
export interface Schedule<C> {
  name: string
  everyMs: number
  /** The wait after a run that returns false, since it found nothing to do; `everyMs` without it. */
  idleEveryMs?: number
  run(ctx: C): Promise<unknown>
}

const LEASE = 'schedules'
/** The longest pause of the schedules after the process that ran them was killed. */
const LEASE_MS = 15_000
const RENEW_EVERY_MS = 5_000

interface Options {
  /** No other process can be on this database: the lease of a predecessor is claimed at once. */
  isAlone?: boolean
  /** Shorter in tests, which wait for it. */
  renewEveryMs?: number
}

/**
 * Runs the schedules while this process has their lease, and waits for it while another process has it. The returned
 * function stops them, waits for the current runs and frees the lease.
 */
export function startSchedules<C extends { log: Log; pool: pg.Pool }>(
  ctx: C,
  schedules: readonly Schedule<C>[],
  { isAlone = false, renewEveryMs = RENEW_EVERY_MS }: Options = {},
): () => Promise<void> {
  const lease = createLease(ctx.pool, LEASE, LEASE_MS)
  const ended = new Map<string, number>()
  let loops: Loop[] | undefined
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  /** Runs that could not be recorded are recorded with the next ones, unless they ran again since. */
  async function withEnded<T>(write: (runs: Map<string, number>) => Promise<T>): Promise<T> {
    const runs = new Map(ended)
    ended.clear()
    try {
      return await write(runs)
    } catch (error) {
      for (const [name, startedAt] of runs) if (!ended.has(name)) ended.set(name, startedAt)
      throw error
    }
  }

  /** After a long pause many schedules run and end at once: their renewals would wait for each other, and for one row. */
  const renew = shareLoads(() => withEnded((runs) => lease.renew(runs)))

  async function recordEnd({ name, everyMs }: Schedule<C>, startedAt: number): Promise<void> {
    ended.set(name, startedAt)
    // A more frequent schedule is due again anyway before another process can claim the lease.
    if (everyMs >= LEASE_MS) await renew()
  }

  async function startLoops(): Promise<void> {
    const lastRuns = await findLastRuns(ctx.pool)
    if (isStopped) return
    ctx.log.info('this process runs the schedules')
    loops = schedules.map((schedule) => {
      const sinceMs = lastRuns.get(schedule.name) ?? Number.POSITIVE_INFINITY
      return startLoop(ctx, schedule, { firstInMs: schedule.everyMs - sinceMs, lease, recordEnd })
    })
  }

  function stopLoops(): void {
    ctx.log.warn('another process runs the schedules now')
    for (const loop of loops ?? []) void loop.stop()
    loops = undefined
  }

  /** Returns the wait before the next renewal or claim. */
  async function renewOrClaim(): Promise<number> {
    if (loops) {
      if (!(await renew())) stopLoops()
      return renewEveryMs
    }
    const { isClaimed, freeInMs } = await lease.claim(isAlone)
    if (isClaimed) await startLoops()
    return Math.min(freeInMs || renewEveryMs, renewEveryMs)
  }

  async function runOnce(): Promise<void> {
    let nextInMs = renewEveryMs
    try {
      nextInMs = await renewOrClaim()
    } catch (error) {
      ctx.log.warn({ err: error }, 'the lease of the schedules could not be renewed')
    }
    if (!isStopped) timer = setTimeout(start, nextInMs)
  }
  let running: Promise<void> = Promise.resolve()
  function start(): void {
    running = runOnce()
  }

  start()
  return async () => {
    isStopped = true
    clearTimeout(timer)
    await running
    await Promise.all((loops ?? []).map((loop) => loop.stop()))
    await withEnded((runs) => lease.release(runs))
  }
}

interface Loop {
  /** Waits for the current run. */
  stop(): Promise<void>
}

interface LoopOptions<C> {
  firstInMs: number
  lease: Lease
  recordEnd(schedule: Schedule<C>, startedAt: number): Promise<void>
}

const RETRY_WITHOUT_LEASE_MS = 1_000

function startLoop<C extends { log: Log }>(
  ctx: C,
  schedule: Schedule<C>,
  { firstInMs, lease, recordEnd }: LoopOptions<C>,
): Loop {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let running: Promise<void> = Promise.resolve()

  async function runOnce(): Promise<void> {
    const startedAt = performance.now()
    let waitMs = schedule.everyMs
    try {
      const found = await schedule.run(ctx)
      if (found === false) waitMs = schedule.idleEveryMs ?? waitMs
    } catch (error) {
      ctx.log.warn({ schedule: schedule.name, err: error }, 'a schedule will run again later')
    }
    try {
      await recordEnd(schedule, startedAt)
    } catch (error) {
      ctx.log.warn({ schedule: schedule.name, err: error }, 'a run of a schedule was not recorded')
    }
    wait(waitMs)
  }
  function start(): void {
    // A process that slept, or cannot reach PostgreSQL, renews its lease first.
    if (lease.isValid()) running = runOnce()
    else wait(RETRY_WITHOUT_LEASE_MS)
  }
  function wait(ms: number): void {
    if (!isStopped) timer = setTimeout(start, ms)
  }

  wait(Math.max(0, firstInMs))
  return {
    stop() {
      isStopped = true
      clearTimeout(timer)
      return running
    },
  }
}

/** When each schedule that ran to its end had started, by `performance.now()`. */
type EndedRuns = ReadonlyMap<string, number>

interface Lease {
  /** Claims it when it is free, or when `isForced`; otherwise returns how long another process has it still. */
  claim(isForced: boolean): Promise<{ isClaimed: boolean; freeInMs: number }>
  /** Extends it and records the runs made under it; false when another process has claimed it since. */
  renew(ended: EndedRuns): Promise<boolean>
  /** Frees it for another process at once. */
  release(ended: EndedRuns): Promise<void>
  /** Whether no other process can have claimed it yet. */
  isValid(): boolean
}

/**
 * A right of one process at a time. Its instants are of PostgreSQL's clock, so that machines need not agree on the time;
 * a process that slept for longer than `durationMs` knows by its own clock that it may have lost the lease.
 */
function createLease(pool: pg.Pool, name: string, durationMs: number): Lease {
  const holder = randomUUID()
  let validUntil = Number.NEGATIVE_INFINITY

  async function claim(isForced: boolean): Promise<{ isClaimed: boolean; freeInMs: number }> {
    const sentAt = performance.now()
    const freeInMs = isForced ? 0 : await findFreeIn(pool, name, holder)
    if (freeInMs > 0) return { isClaimed: false, freeInMs }
    const { rowCount } = await pool.query(
      `insert into leases (name, holder, held_until)
       values ($1, $2, now() + $3 * interval '1 millisecond')
       on conflict (name) do update set holder = excluded.holder, held_until = excluded.held_until
       where leases.held_until <= now() or leases.holder = excluded.holder or $4`,
      [name, holder, durationMs, isForced],
    )
    if (rowCount === 0) return { isClaimed: false, freeInMs: durationMs }
    validUntil = sentAt + durationMs
    return { isClaimed: true, freeInMs: 0 }
  }

  /** One statement: each write makes every api process drop its cache of a quiet database. */
  async function update(ended: EndedRuns, toMs: number): Promise<boolean> {
    const sentAt = performance.now()
    const agoMs = [...ended.values()].map((startedAt) => sentAt - startedAt)
    const { rowCount } = await pool.query(
      `with noted as (
         insert into schedule_runs (name, began_at)
         select run.name, now() - run.ago * interval '1 millisecond'
         from unnest($4::text[], $5::float8[]) as run (name, ago)
         on conflict (name) do update set began_at = excluded.began_at
       )
       update leases set held_until = now() + $3 * interval '1 millisecond'
       where name = $1 and holder = $2`,
      [name, holder, toMs, [...ended.keys()], agoMs],
    )
    validUntil = rowCount === 1 ? sentAt + toMs : Number.NEGATIVE_INFINITY
    return rowCount === 1
  }

  return {
    claim,
    renew: (ended) => update(ended, durationMs),
    release: async (ended) => {
      await update(ended, 0)
    },
    isValid: () => performance.now() < validUntil,
  }
}

/** Runs before each claim, and often: a read writes nothing. */
async function findFreeIn(pool: pg.Pool, name: string, holder: string): Promise<number> {
  const { rows } = await pool.query<{ ms: number }>(
    `select (extract(epoch from held_until - now()) * 1000)::float8 as ms
     from leases where name = $1 and holder <> $2`,
    [name, holder],
  )
  return rows[0]?.ms ?? 0
}

/** How long ago each schedule last started a run that ended, in any process. */
async function findLastRuns(pool: pg.Pool): Promise<Map<string, number>> {
  const { rows } = await pool.query<{ name: string; ago: number }>(
    `select name, (extract(epoch from now() - began_at) * 1000)::float8 as ago from schedule_runs`,
  )
  return new Map(rows.map(({ name, ago }) => [name, ago]))
}
