import type pg from 'pg'
import type { Log } from '#server/platform/log.ts'
import type { Events, Happening } from './events.ts'

export const CHANNEL = 'revelations_events'

const GATHER_MS = 100
/** PostgreSQL takes less than 8000 bytes in one notification. */
const PAYLOAD_MAX_BYTES = 7_500

export interface Publishing extends Events {
  /** Sends what is still gathered. */
  close(): Promise<void>
}

/** Gathers what happens for a moment, each thing once, and tells all processes in one statement. */
export function openPublishing(pool: pg.Pool, log: Pick<Log, 'warn'>): Publishing {
  const gathered = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let underWay: Promise<void> = Promise.resolve()

  async function send(): Promise<void> {
    timer = undefined
    if (gathered.size === 0) return
    const payloads = inPayloads(gathered)
    gathered.clear()
    try {
      await pool.query('select pg_notify($1, payload) from unnest($2::text[]) as payload', [
        CHANNEL,
        payloads,
      ])
    } catch (error) {
      // What is stored is stored: pages learn of it when they ask next.
      log.warn({ error: (error as Error).message }, 'other processes were not told of a change')
    }
  }

  return {
    publish(happening) {
      gathered.add(JSON.stringify(happening))
      timer ??= setTimeout(() => {
        // One after the other: what happened first is told first.
        underWay = underWay.then(send)
      }, GATHER_MS)
    },
    async close() {
      clearTimeout(timer)
      await underWay
      await send()
    },
  }
}

/** One happening per line, as many lines as one notification takes. */
function inPayloads(lines: Iterable<string>): string[] {
  const payloads: string[] = []
  let payload = ''
  for (const line of lines) {
    if (payload && payload.length + line.length >= PAYLOAD_MAX_BYTES) {
      payloads.push(payload)
      payload = ''
    }
    payload += payload ? `\n${line}` : line
  }
  return payload ? [...payloads, payload] : payloads
}

export function readPayload(payload: string): Happening[] {
  return payload.split('\n').map((line) => JSON.parse(line) as Happening)
}
