import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { RunningContext } from '#server/create-context.ts'
import { startTestServer, type TestApp } from '#testing/test-server.ts'
import { type Schedule, startSchedules } from './schedules.ts'

const AN_HOUR_MS = 3_600_000

let server: TestApp
const stops: (() => Promise<void>)[] = []

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()))
  await server.ctx.pool.query('truncate leases, schedule_runs')
})

/** A schedule that counts its runs, and a promise for whoever waits for one more. */
function counting(name: string, everyMs: number) {
  let next = Promise.withResolvers<void>()
  const counted = {
    runs: 0,
    next: () => next.promise,
    schedule: {
      name,
      everyMs,
      run: async () => {
        counted.runs += 1
        next.resolve()
        next = Promise.withResolvers()
      },
    } satisfies Schedule<RunningContext>,
  }
  return counted
}

/** Another worker on the same database. */
function startProcess(schedules: Schedule<RunningContext>[], isAlone = false) {
  const stop = startSchedules(server.ctx, schedules, { isAlone, renewEveryMs: 20 })
  stops.push(stop)
  return stop
}

/** What a process that was killed leaves behind, or one that is stuck. */
async function leaseToAnother(forMs: number): Promise<void> {
  await server.ctx.pool.query(
    `insert into leases (name, holder, held_until)
     values ('schedules', gen_random_uuid(), now() + $1 * interval '1 millisecond')
     on conflict (name) do update set holder = excluded.holder, held_until = excluded.held_until`,
    [forMs],
  )
}

it('waits otherwise after a run that found nothing', async () => {
  const seldom = counting('seldom', AN_HOUR_MS)
  const often = counting('often', 10)
  const run = async () => {
    await seldom.schedule.run()
    return seldom.runs === 3
  }
  startProcess([{ ...seldom.schedule, idleEveryMs: 1, run }, often.schedule])
  while (seldom.runs < 3) await seldom.next()
  const { runs } = often
  while (often.runs < runs + 10) await often.next()
  expect(seldom.runs).toBe(3)
})

it('runs the schedules in one of two processes, and in the other once it stops', async () => {
  const [first, second] = [counting('often', 10), counting('often', 10)]
  const stopFirst = startProcess([first.schedule])
  await first.next()
  startProcess([second.schedule])
  // Far more often than the second one tries to claim the lease.
  while (first.runs < 30) await first.next()
  expect(second.runs).toBe(0)
  const claimed = second.next()
  await stopFirst()
  const { runs } = first
  await claimed
  expect(first.runs).toBe(runs)
})

it('claims the lease of a process that was killed once it has passed', async () => {
  await leaseToAnother(400)
  const often = counting('often', 10)
  startProcess([often.schedule])
  await often.next()
  const { rows } = await server.ctx.pool.query('select held_until > now() as held from leases')
  expect(rows).toEqual([{ held: true }])
})

it('claims the lease at once where no other process can be', async () => {
  await leaseToAnother(AN_HOUR_MS)
  const often = counting('often', 10)
  startProcess([often.schedule], true)
  await often.next()
})

it('stops when another process has taken over', async () => {
  const often = counting('often', 10)
  startProcess([often.schedule])
  await often.next()
  await leaseToAnother(AN_HOUR_MS)
  // The lease is renewed every 20 ms, and these queries take longer.
  let runs = -1
  while (runs !== often.runs) {
    runs = often.runs
    for (let n = 0; n < 200; n += 1) await server.ctx.pool.query('select 1')
  }
  expect(runs).toBeGreaterThan(0)
})

it('runs again what failed to end, and not what another process has just done', async () => {
  const done = counting('hourly', AN_HOUR_MS)
  const stopFirst = startProcess([done.schedule])
  await done.next()
  await stopFirst()
  await server.ctx.pool.query(
    `insert into schedule_runs (name, began_at) values ('due', now() - interval '2 hours')`,
  )

  const again = counting('hourly', AN_HOUR_MS)
  const due = counting('due', AN_HOUR_MS)
  const cut = counting('cut', AN_HOUR_MS)
  const often = counting('often', 10)
  startProcess([again.schedule, due.schedule, cut.schedule, often.schedule])
  while (often.runs < 10) await often.next()
  expect([done.runs, again.runs, due.runs, cut.runs]).toEqual([1, 0, 1, 1])
})

it('runs the others when one of them fails', async () => {
  const often = counting('often', 10)
  const failing = counting('failing', 10)
  startProcess([
    {
      ...failing.schedule,
      run: async () => {
        await failing.schedule.run()
        throw new Error('no')
      },
    },
    often.schedule,
  ])
  while (often.runs < 3 || failing.runs < 3) await Promise.race([often.next(), failing.next()])
})
