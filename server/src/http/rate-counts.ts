import { createHmac } from 'node:crypto'
import type {
  FastifyRateLimitOptions,
  FastifyRateLimitStore,
  FastifyRateLimitStoreCtor,
} from '@fastify/rate-limit'
import type { AppContext } from '#server/context.ts'
import { SITE_SHARE, siteOf } from '#server/networks.ts'

/** A higher limit protects the process, not people: a write in PostgreSQL would cost more than it saves. */
const SHARED_UP_TO_PER_MINUTE = 60
const CALLERS_MAX = 5_000

type Done = Parameters<FastifyRateLimitStore['incr']>[1]

/** The options that the plugin passes to the store of a route. */
interface Limit {
  max: number
  timeWindow: number
  /** Whether all processes count together; only `rateLimit` may set false. */
  shared?: boolean
  /** The name of a limit of `createSubLimit`. */
  groupId?: string
  routeInfo: { method?: string | string[]; url?: string }
}

/**
 * Counts calls: for the general ceiling and the high limits in this process, for the lower ones in PostgreSQL, so that
 * the number of processes does not change them (docs/decisions/0025-several-machines.md).
 */
export function createRateStore(
  ctx: Pick<AppContext, 'pool' | 'keyring'>,
): FastifyRateLimitStoreCtor {
  return class extends ProcessCounts {
    override child(options: FastifyRateLimitOptions): FastifyRateLimitStore {
      const limit = options as Limit
      const perMinute = limit.max / (limit.timeWindow / 60_000)
      return limit.shared === false || perMinute > SHARED_UP_TO_PER_MINUTE
        ? new ProcessCounts()
        : new SharedCounts(ctx, nameOf(limit))
    }
  }
}

function nameOf({ groupId, routeInfo: { method, url } }: Limit): string {
  if (groupId) return groupId
  if (!url) throw new Error('A limit that several processes count needs a name')
  return `${method} ${url}`
}

interface Count {
  current: number
  ttl: number
}

/** The count that decides for a limit of `max`: the caller's own, or that of the whole site when the site exceeds its share. */
function limitedBy(own: Count, site: Count | undefined, max: number): Count {
  return site && site.current > max * SITE_SHARE ? { current: max + 1, ttl: site.ttl } : own
}

class ProcessCounts implements FastifyRateLimitStore {
  readonly #counts = new Map<string, { calls: number; endsAt: number }>()

  incr(caller: string, done: Done, windowMs: number, max: number): void {
    const own = this.#count(caller, windowMs)
    // Refused calls do not count for the site.
    const site = own.current > max ? undefined : siteOf(caller)
    done(null, limitedBy(own, site === undefined ? undefined : this.#count(site, windowMs), max))
  }

  #count(caller: string, windowMs: number): Count {
    const now = performance.now()
    const known = this.#counts.get(caller)
    const count = known && known.endsAt > now ? known : { calls: 0, endsAt: now + windowMs }
    count.calls += 1
    // The order of the map is that of the last calls: the oldest is dropped first.
    this.#counts.delete(caller)
    this.#counts.set(caller, count)
    if (this.#counts.size > CALLERS_MAX) {
      for (const oldest of this.#counts.keys()) {
        this.#counts.delete(oldest)
        break
      }
    }
    return { current: count.calls, ttl: count.endsAt - now }
  }

  child(_: FastifyRateLimitOptions): FastifyRateLimitStore {
    return new ProcessCounts()
  }
}

/** SQL that adds a call to a key. */
function countingOf(from: string): string {
  return `
    insert into rate_counts as known (key, calls, ends_at)
    select key, 1, now() + $3 * interval '1 millisecond' from ${from}
    on conflict (key) do update set
      calls = case when known.ends_at > now() then known.calls + 1 else 1 end,
      ends_at = case when known.ends_at > now() then known.ends_at else excluded.ends_at end
    returning key, calls, (extract(epoch from ends_at - now()) * 1000)::float8 as ttl`
}

// One statement counts the network, then its site: refused calls, even simultaneous ones, do not count for the site. The
// same order everywhere excludes a deadlock of two calls.
const COUNT = {
  name: 'count-call',
  text: `
    with own as (${countingOf('(select $1::bytea as key) as one')}),
    of_site as (${countingOf('(select $2::bytea as key from own where calls <= $4 and $2 is not null) as one')})
    select * from own union all select * from of_site`,
}

class SharedCounts implements FastifyRateLimitStore {
  readonly #ctx: Pick<AppContext, 'pool' | 'keyring'>
  readonly #name: string
  /** Callers beyond their limit, until when: their further calls cost PostgreSQL nothing. */
  readonly #refused = new Map<string, number>()

  constructor(ctx: Pick<AppContext, 'pool' | 'keyring'>, name: string) {
    this.#ctx = ctx
    this.#name = name
  }

  incr(caller: string, done: Done, windowMs: number, max: number): void {
    const callers = [caller, siteOf(caller) ?? []].flat()
    const until = Math.max(...callers.map((one) => this.#refused.get(one) ?? 0))
    const leftMs = until - performance.now()
    if (leftMs > 0) done(null, { current: max + 1, ttl: leftMs })
    else this.#count(callers, windowMs, max).then((count) => done(null, count), done)
  }

  async #count(callers: readonly string[], windowMs: number, max: number): Promise<Count> {
    const keys = callers.map((caller) => this.#keyOf(caller))
    const { rows } = await this.#ctx.pool.query<{ key: Buffer; calls: number; ttl: number }>({
      ...COUNT,
      values: [keys[0], keys[1] ?? null, windowMs, max],
    })
    const [own, site] = callers.map((caller, n) => {
      const row = rows.find(({ key }) => keys[n]?.equals(key))
      if (!row) return undefined
      if (row.calls > (n === 0 ? max : max * SITE_SHARE)) this.#refuse(caller, row.ttl)
      return { current: row.calls, ttl: row.ttl }
    })
    if (!own) throw new Error('A call was not counted')
    return limitedBy(own, site, max)
  }

  #keyOf(caller: string): Buffer {
    const secret = this.#ctx.keyring.secretFor('rate-counts')
    return createHmac('sha256', secret).update(`${this.#name}\n${caller}`).digest()
  }

  #refuse(caller: string, forMs: number): void {
    if (this.#refused.size >= CALLERS_MAX) this.#refused.clear()
    this.#refused.set(caller, performance.now() + forMs)
  }

  child(_: FastifyRateLimitOptions): FastifyRateLimitStore {
    throw new Error('The limit of a route has none below it')
  }
}

/** Deletes the windows that have ended. */
export async function deleteEndedCounts({ pool }: Pick<AppContext, 'pool'>): Promise<void> {
  await pool.query('delete from rate_counts where ends_at <= now()')
}
