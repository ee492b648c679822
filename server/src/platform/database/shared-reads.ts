import { Socket } from 'node:net'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { PREPARED_READ_MARK } from './db.ts'
import { PreparingClient } from './preparing-client.ts'
import { isConnectionLost, isStatementLost } from './sql-errors.ts'

const MAX_CLIENTS = 2
/** Beyond as many at once a client takes no other: the next ones are read at the same time as these. */
const MAX_SENT = 64
/** Nor once it has waited so long for an answer: the next ones would wait for it too. */
const MAX_WAIT_MS = 20
/** A read that has waited so long is made through the pool besides: behind one that waits for a lock, it would wait for the lock. */
const MAX_STUCK_MS = 500
const BEFORE_RETRY_MS = 1_000

/** A connection that lives as long as the program has to notice the end of the other side by itself. */
const LONG_LIVED: pg.ClientConfig = {
  keepAlive: true,
  keepAliveInitialDelayMillis: 30_000,
  query_timeout: 40_000,
}

/**
 * A list of ids makes PostgreSQL plan a statement anew each time, since a plan for any list looks dearer; for what is found by
 * the index of an id, planning takes longer than reading.
 */
const PLANNED_ONCE = 'set plan_cache_mode = force_generic_plan'

interface Read {
  at: number
  giveUp(): void
}

interface SharedClient {
  client: pg.Client
  socket: Socket
  isReady: boolean
  /** The reads whose answer is not there, the oldest first. */
  sent: Set<Read>
  watch: NodeJS.Timeout | undefined
  lose(error: Error): void
}

/** Connections that whoever reads shares with the others. */
export interface SharedReads {
  /** The answer to a read; undefined where none of these connections gives one. */
  query(text: string, values: readonly unknown[]): Promise<pg.QueryResult | undefined>
  close(): Promise<void>
}

/**
 * Reads of many requests at once, each sent right behind the last without waiting for its answer, and those of one turn of the
 * event loop in one write (without TLS): waking PostgreSQL costs more than most of them (docs/decisions/0087-shared-reads.md).
 * `onLost` is called for each connection that ends otherwise than by `close`.
 */
export function openSharedReads(
  config: pg.ClientConfig,
  onLost: (error: Error, client: pg.Client) => void,
): SharedReads {
  const clients = new Set<SharedClient>()
  let isClosed = false
  let retryAt = 0

  function open(): void {
    const socket = new Socket()
    const options = { ...config, ...LONG_LIVED, pipeline: true, stream: () => socket }
    const client = new PreparingClient(options)
    const lose = (error: Error) => {
      if (!clients.delete(shared)) return
      socket.destroy()
      retryAt = performance.now() + BEFORE_RETRY_MS
      if (shared.isReady && !isStatementLost(error)) onLost(error, client)
    }
    const shared: SharedClient = {
      client,
      socket,
      isReady: false,
      sent: new Set(),
      watch: undefined,
      lose,
    }
    clients.add(shared)
    client.on('error', lose)
    const prepare = async () => {
      await client.connect()
      await client.query(PLANNED_ONCE)
      shared.isReady = true
    }
    prepare().catch(lose)
  }

  function findFree(now: number): SharedClient | undefined {
    for (const shared of clients) {
      const { isReady, sent } = shared
      const [oldest] = sent
      if (!isReady || sent.size >= MAX_SENT) continue
      if (!oldest || now - oldest.at < MAX_WAIT_MS) return shared
    }
    return undefined
  }

  function watch(shared: SharedClient): void {
    shared.watch ??= setTimeout(() => {
      shared.watch = undefined
      const now = performance.now()
      for (const { at, giveUp } of shared.sent) if (now - at >= MAX_STUCK_MS) giveUp()
      if (shared.sent.size > 0) watch(shared)
    }, MAX_STUCK_MS).unref()
  }

  function send(shared: SharedClient, now: number, text: string, values: readonly unknown[]) {
    const { client, socket, sent, lose } = shared
    if (socket.writableCorked === 0) {
      socket.cork()
      setImmediate(() => socket.uncork())
    }
    const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult | undefined>()
    const read = { at: now, giveUp: () => resolve(undefined) }
    sent.add(read)
    watch(shared)
    client.query(text, values as unknown[]).then(
      (result) => {
        sent.delete(read)
        resolve(result)
      },
      (error) => {
        sent.delete(read)
        if (isConnectionLost(error) || isStatementLost(error)) lose(error)
        // What only reads may be made again.
        if (clients.has(shared)) reject(error)
        else resolve(undefined)
      },
    )
    return promise
  }

  return {
    async query(text, values) {
      const now = performance.now()
      const free = findFree(now)
      if (free) return send(free, now, text, values)
      if (!isClosed && clients.size < MAX_CLIENTS && now >= retryAt) open()
      return undefined
    },
    async close() {
      isClosed = true
      const open = [...clients]
      clients.clear()
      const end = ({ isReady, client, socket }: SharedClient) =>
        isReady ? client.end() : socket.destroy()
      await Promise.all(open.map(end))
    },
  }
}

/** A pool for Kysely whose connections are reserved no earlier than for what is not a shared read. */
export function shareReads(pool: pg.Pool, reads: SharedReads): PostgresPool {
  return {
    options: pool.options,
    connect: async () => new LazyClient(pool, reads) as unknown as PostgresPoolClient,
    end: () => pool.end(),
  }
}

/** What was reserved once, as for a transaction, is used until the release. */
class LazyClient {
  readonly #pool: pg.Pool
  readonly #reads: SharedReads
  #reserved: Promise<pg.PoolClient> | undefined

  constructor(pool: pg.Pool, reads: SharedReads) {
    this.#pool = pool
    this.#reads = reads
  }

  async query(text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
    if (!this.#reserved && text.endsWith(PREPARED_READ_MARK)) {
      const answer = await this.#reads.query(text, values)
      if (answer) return answer
    }
    this.#reserved ??= this.#pool.connect()
    const client = await this.#reserved
    return client.query(text, values as unknown[])
  }

  release(destroy?: boolean): void {
    this.#reserved?.then(
      (client) => client.release(destroy),
      () => undefined,
    )
  }
}
