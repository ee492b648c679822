import pg from 'pg'
import type { Log } from '#server/platform/log.ts'

const PING_EVERY_MS = 15_000
const FIRST_RETRY_MS = 250
const SLOWEST_RETRY_MS = 5_000

interface Listener {
  onPayload(payload: string): void
  /** The connection was lost and is back: what was notified in between did not arrive. */
  onReconnect(): void
}

export interface Listening {
  close(): Promise<void>
}

/**
 * Receives what is notified on a channel, on a connection of its own that is opened again whenever it is lost. Throws
 * when the first one cannot be opened.
 */
export async function listen(
  pool: pg.Pool,
  log: Pick<Log, 'warn'>,
  channel: string,
  { onPayload, onReconnect }: Listener,
): Promise<Listening> {
  let client: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined
  let isClosed = false

  async function connect(): Promise<void> {
    const next = new pg.Client({
      ...connectionOf(pool),
      application_name: `revelations listens to ${channel}`,
      query_timeout: PING_EVERY_MS,
      keepAlive: true,
    })
    // `end` follows every error of a connection, and is handled below.
    next.on('error', () => undefined)
    next.on('notification', ({ payload }) => onPayload(payload ?? ''))
    try {
      await next.connect()
      await next.query(`listen ${pg.escapeIdentifier(channel)}`)
    } catch (error) {
      await next.end().catch(() => undefined)
      throw error
    }
    client = next
    next.once('end', () => onLost(next))
  }

  function onLost(lost: pg.Client): void {
    if (isClosed || client !== lost) return
    client = undefined
    log.warn({ channel }, 'the connection that receives notifications was lost')
    reconnect(FIRST_RETRY_MS)
  }

  function reconnect(waitMs: number): void {
    retry = setTimeout(async () => {
      try {
        await connect()
        if (isClosed) await client?.end()
        else onReconnect()
      } catch {
        if (!isClosed) reconnect(Math.min(waitMs * 2, SLOWEST_RETRY_MS))
      }
    }, waitMs)
  }

  // Only a query shows that a peer vanished without closing its connection.
  const ping = setInterval(() => {
    const pinged = client
    pinged?.query('select').catch(() => {
      onLost(pinged)
      void pinged.end().catch(() => undefined)
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

/** `pg.Pool` makes its password not enumerable: a copy of the options lacks it. */
function connectionOf(pool: pg.Pool): pg.ClientConfig {
  const { options } = pool
  return { ...options, ...(options.password ? { password: options.password } : {}) }
}
