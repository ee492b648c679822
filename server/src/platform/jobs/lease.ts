import { randomUUID } from 'node:crypto'
import type pg from 'pg'

/** When a schedule that ran to its end had begun, by `performance.now()`. */
export type EndedRuns = ReadonlyMap<string, number>

export interface Lease {
  /** Takes it when nobody holds it, or when `isForced`; else how long its holder has it still. */
  take(isForced: boolean): Promise<{ isTaken: boolean; freeInMs: number }>
  /** Moves it on and writes down what was done under it; false when another process has taken it since. */
  renew(ended: EndedRuns): Promise<boolean>
  /** Lets another process take it at once. */
  release(ended: EndedRuns): Promise<void>
  /** Whether no other process can have taken it yet. */
  isHeld(): boolean
}

/**
 * What one process at a time does. Its instants are of the clock of PostgreSQL, so that no two machines have to agree on
 * the time; a process that was asleep for longer than `durationMs` knows by its own that it may have lost the lease.
 */
export function leaseOn(pool: pg.Pool, name: string, durationMs: number): Lease {
  const holder = randomUUID()
  let heldUntil = Number.NEGATIVE_INFINITY

  async function take(isForced: boolean): Promise<{ isTaken: boolean; freeInMs: number }> {
    const askedAt = performance.now()
    const freeInMs = isForced ? 0 : await findFreeIn(pool, name, holder)
    if (freeInMs > 0) return { isTaken: false, freeInMs }
    const { rowCount } = await pool.query(
      `insert into leases (name, holder, held_until)
       values ($1, $2, now() + $3 * interval '1 millisecond')
       on conflict (name) do update set holder = excluded.holder, held_until = excluded.held_until
       where leases.held_until <= now() or leases.holder = excluded.holder or $4`,
      [name, holder, durationMs, isForced],
    )
    if (rowCount === 0) return { isTaken: false, freeInMs: durationMs }
    heldUntil = askedAt + durationMs
    return { isTaken: true, freeInMs: 0 }
  }

  /** One statement, since each that writes makes other processes forget what they remember of a quiet database. */
  async function move(ended: EndedRuns, toMs: number): Promise<boolean> {
    const askedAt = performance.now()
    const agoMs = [...ended.values()].map((beganAt) => askedAt - beganAt)
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
    heldUntil = rowCount === 1 ? askedAt + toMs : Number.NEGATIVE_INFINITY
    return rowCount === 1
  }

  return {
    take,
    renew: (ended) => move(ended, durationMs),
    release: async (ended) => {
      await move(ended, 0)
    },
    isHeld: () => performance.now() < heldUntil,
  }
}

/** Asked first, and often: a question writes nothing. */
async function findFreeIn(pool: pg.Pool, name: string, holder: string): Promise<number> {
  const { rows } = await pool.query<{ ms: number }>(
    `select (extract(epoch from held_until - now()) * 1000)::float8 as ms
     from leases where name = $1 and holder <> $2`,
    [name, holder],
  )
  return rows[0]?.ms ?? 0
}

/** How long ago each schedule began for the last time, by whichever process. */
export async function findLastRuns(pool: pg.Pool): Promise<Map<string, number>> {
  const { rows } = await pool.query<{ name: string; ago: number }>(
    `select name, (extract(epoch from now() - began_at) * 1000)::float8 as ago from schedule_runs`,
  )
  return new Map(rows.map(({ name, ago }) => [name, ago]))
}
