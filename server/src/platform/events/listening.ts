import pg from 'pg'
import type { Log } from '#server/platform/log.ts'
import type { Happening } from './events.ts'
import { CHANNEL, readPayload } from './publishing.ts'

const PING_EVERY_MS = 15_000
const FIRST_RETRY_MS = 250
const SLOWEST_RETRY_MS = 5_000

interface Listener {
  hear(happenings: readonly Happening[]): void
  /** The connection was lost and is there again: something may have happened unheard. */
  missed(): void
}

export interface Listening {
  close(): Promise<void>
}

/** Hears what every process publishes, on a connection of its own that is taken up again whenever it is lost. */
export async function listen(
  pool: pg.Pool,
  log: Pick<Log, 'warn'>,
  { hear, missed }: Listener,
): Promise<Listening> {
  let client: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined
  let isClosed = false

  function notify(payload: string): void {
    try {
      hear(readPayload(payload))
    } catch (error) {
      log.warn({ error: (error as Error).message }, 'a notification could not be read')
    }
  }

  async function connect(): Promise<void> {
    const next = new pg.Client({
      ...connectionOf(pool),
      query_timeout: PING_EVERY_MS,
      keepAlive: true,
    })
    // Its end is what counts, and is told below.
    next.on('error', () => undefined)
    next.on('notification', ({ payload }) => notify(payload ?? ''))
    try {
      await next.connect()
      await next.query(`listen ${CHANNEL}`)
    } catch (error) {
      await next.end().catch(() => undefined)
      throw error
    }
    client = next
    next.once('end', () => lose(next))
  }

  function lose(lost: pg.Client): void {
    if (isClosed || client !== lost) return
    client = undefined
    log.warn('the connection that hears of changes was lost')
    reconnect(FIRST_RETRY_MS)
  }

  function reconnect(waitMs: number): void {
    retry = setTimeout(async () => {
      try {
        await connect()
        if (isClosed) await client?.end()
        else missed()
      } catch {
        if (!isClosed) reconnect(Math.min(waitMs * 2, SLOWEST_RETRY_MS))
      }
    }, waitMs)
  }

  // A peer that vanished without a word is noticed by asking.
  const ping = setInterval(() => {
    const asked = client
    asked?.query('select').catch(() => {
      lose(asked)
      void asked.end().catch(() => undefined)
    })
  }, PING_EVERY_MS)

  try {
    await connect()
  } catch (error) {
    clearInterval(ping)
    throw error
  }
  return {
    async close() {
      isClosed = true
      clearInterval(ping)
      clearTimeout(retry)
      await client?.end()
    },
  }
}

/** The pool keeps its password out of sight of whoever copies its options. */
function connectionOf(pool: pg.Pool): pg.ClientConfig {
  const { options } = pool
  return { ...options, ...(options.password ? { password: options.password } : {}) }
}
