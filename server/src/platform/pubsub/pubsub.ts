import type pg from 'pg'
import { type Listening, listen } from '#server/platform/database/listen.ts'
import type { Log } from '#server/platform/log.ts'

/**
 * A change that the processes announce to each other. Events carry ids and kinds only: a process that passes one on to
 * a page passes the gate first and reads the rest afresh.
 */
export type DomainEvent =
  | { type: 'revelation'; id: string; authorId: string; change: RevelationChange }
  /** A part of the file is ready, or has failed. */
  | { type: 'media'; id: string }
  /** The journal of the revelation's delivery has a new step, or its private replies changed: what its author alone learns. */
  | { type: 'delivery'; id: string; authorId: string }
  /** Requests, relationships or blocks of this person changed. */
  | { type: 'relationships'; id: string }
  /** The list of voice messages this person may see changed. */
  | { type: 'sounds'; id: string }
  /** Something happened to this person, or they read it. */
  | { type: 'notifications'; id: string }
  /** A session of this person ended. */
  | { type: 'sessions'; id: string }

export type RevelationChange = 'reactions' | 'comments' | 'votes' | 'state'

export interface Events {
  /** Sends the event to every process; from within a transaction, after its commit. */
  publish(event: DomainEvent): void
}

interface WithEvents {
  events: Events
}

export function publishRevelationChanged(
  { events }: WithEvents,
  { id, authorId }: { id: string; authorId: string },
  change: RevelationChange,
): void {
  events.publish({ type: 'revelation', id, authorId, change })
}

export function publishRelationshipsChanged(
  { events }: WithEvents,
  userIds: readonly string[],
): void {
  for (const id of userIds) events.publish({ type: 'relationships', id })
}

export function publishVoiceMessagesChanged(
  { events }: WithEvents,
  userIds: Iterable<string>,
): void {
  for (const id of userIds) events.publish({ type: 'sounds', id })
}

export function publishNotificationsChanged(
  { events }: WithEvents,
  userIds: Iterable<string>,
): void {
  for (const id of userIds) events.publish({ type: 'notifications', id })
}

export function publishSessionsEnded({ events }: WithEvents, userId: string): void {
  events.publish({ type: 'sessions', id: userId })
}

/** Announces that a part of a file is ready or has failed: the page of its owner waits for it. */
export function publishMediaSettled({ events }: WithEvents, mediaId: string): void {
  events.publish({ type: 'media', id: mediaId })
}

export function publishDeliveryChanged(
  { events }: WithEvents,
  { revelationId, authorId }: { revelationId: string; authorId: string },
): void {
  events.publish({ type: 'delivery', id: revelationId, authorId })
}

const CHANNEL = 'revelations_events'

const BATCH_MS = 100
/** PostgreSQL accepts less than 8000 bytes in one notification. */
const PAYLOAD_MAX_BYTES = 7_500

export interface Publisher extends Events {
  /** Sends the events that still wait for their batch. */
  close(): Promise<void>
}

/** Sends the events of each tenth of a second, each of them once, to all processes in one NOTIFY statement. */
export function openPublisher(pool: pg.Pool, log: Pick<Log, 'warn'>): Publisher {
  const pending = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let sending: Promise<void> = Promise.resolve()

  async function send(): Promise<void> {
    timer = undefined
    if (pending.size === 0) return
    const payloads = formatPayloads(pending)
    pending.clear()
    try {
      await pool.query('select pg_notify($1, payload) from unnest($2::text[]) as payload', [
        CHANNEL,
        payloads,
      ])
    } catch (error) {
      // The change itself is stored: pages show it after their next request.
      log.warn({ error: (error as Error).message }, 'other processes were not notified of a change')
    }
  }

  return {
    publish(event) {
      pending.add(JSON.stringify(event))
      timer ??= setTimeout(() => {
        // One batch after the other keeps the order of the events.
        sending = sending.then(send)
      }, BATCH_MS)
    },
    async close() {
      clearTimeout(timer)
      await sending
      await send()
    },
  }
}

/** One event per line, as many lines as one notification accepts. */
function formatPayloads(lines: Iterable<string>): string[] {
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

function parsePayload(payload: string): DomainEvent[] {
  return payload.split('\n').map((line) => JSON.parse(line) as DomainEvent)
}

interface Subscriber {
  onEvents(events: readonly DomainEvent[]): void
  /** The connection was lost and is back: events in between did not arrive. */
  onReconnect(): void
}

/** Receives the events of every process. */
export function subscribe(
  pool: pg.Pool,
  log: Pick<Log, 'warn'>,
  { onEvents, onReconnect }: Subscriber,
): Promise<Listening> {
  function onPayload(payload: string): void {
    try {
      onEvents(parsePayload(payload))
    } catch (error) {
      log.warn({ error: (error as Error).message }, 'a notification could not be read')
    }
  }
  return listen(pool, log, CHANNEL, { onPayload, onReconnect })
}
