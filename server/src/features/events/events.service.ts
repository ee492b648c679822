import type { ServerResponse } from 'node:http'
import { WATCHED_MAX } from '#contract/events.ts'
import type { AppContext } from '#server/context.ts'
import { listRevealedWithin } from '#server/features/access/envelopes.service.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import type { Listening } from '#server/platform/database/listen.ts'
import { type DomainEvent, subscribe } from '#server/platform/pubsub/pubsub.ts'
import { closeExpired, deliver, sendReady } from './event-delivery.service.ts'
import {
  createEventStreams,
  type EventStream,
  HEARTBEAT,
  yieldingIterator,
} from './event-streams.ts'

const TICK_MS = 100
/** Each tick writes to one part of the streams, so that thousands are never written to at once. */
const TICKS_BETWEEN_HEARTBEATS = 250

/** The streams of one process. One connection, one timer and one queue serve them all. */
export function createLiveEvents(ctx: AppContext) {
  const streams = createEventStreams()
  let pending: DomainEvent[] = []
  let opened: EventStream[] = []
  let hasMissed = false
  let isDelivering = false
  let isTicking = false
  let isClosed = false
  let starting: Promise<Listening> | undefined
  let timer: NodeJS.Timeout | undefined
  let revealsCheckedAt = ctx.now()
  let tick = 0

  function onEvents(events: readonly DomainEvent[]): void {
    if (streams.all.size === 0) return
    pending.push(...events)
    void deliverPending()
  }

  /** One delivery at a time: events and streams that arrive meanwhile share the next one. */
  async function deliverPending(): Promise<void> {
    if (isDelivering) return
    isDelivering = true
    try {
      while (pending.length > 0 || opened.length > 0 || hasMissed) {
        const [events, unready] = [pending, hasMissed ? streams.all : opened]
        pending = []
        opened = []
        hasMissed = false
        await deliver(ctx, streams, events)
        await sendReady(ctx, streams, unready)
      }
    } catch (error) {
      ctx.log.warn({ err: error }, 'a change could not be passed on')
      // The next tick sends `ready` to all pages, which fetch again what they show.
      hasMissed = true
    } finally {
      isDelivering = false
    }
  }

  async function onTick(): Promise<void> {
    if (isTicking) return
    isTicking = true
    tick += 1
    try {
      await checkReveals()
      await sendHeartbeats()
    } catch (error) {
      ctx.log.warn({ err: error }, 'a look for what is revealed, or a heartbeat, comes later')
    } finally {
      isTicking = false
    }
  }

  /** Nobody publishes a reveal: each process finds those that came since its last check, a short walk through an index. */
  async function checkReveals(): Promise<void> {
    const span = { since: revealsCheckedAt, until: ctx.now() }
    if (streams.all.size > 0) {
      const revealed = await listRevealedWithin(ctx, span)
      onEvents(revealed.map((one) => ({ ...one, type: 'revelation', change: 'state' })))
      if (hasMissed) await deliverPending()
    }
    revealsCheckedAt = span.until
  }

  async function sendHeartbeats(): Promise<void> {
    const part = tick % TICKS_BETWEEN_HEARTBEATS
    const due: EventStream[] = []
    let place = 0
    for (const stream of streams.all) {
      if (place % TICKS_BETWEEN_HEARTBEATS === part) due.push(stream)
      place += 1
    }
    const active = (await closeExpired(ctx, streams, due)).keys()
    for await (const stream of yieldingIterator(active)) streams.send(stream, HEARTBEAT)
  }

  return {
    /** Resolves once this process receives the events of all. */
    async start(): Promise<void> {
      starting ??= subscribe(ctx.pool, ctx.log, {
        onEvents,
        onReconnect() {
          hasMissed = true
          void deliverPending()
        },
      })
      try {
        await starting
      } catch (error) {
        starting = undefined
        throw error
      }
      if (timer || isClosed) return
      revealsCheckedAt = ctx.now()
      timer = setInterval(() => void onTick(), TICK_MS)
    },

    /** Makes the response a stream of what this person may learn. */
    open(
      { userId, sessionId }: Actor,
      watchedIds: readonly string[],
      response: ServerResponse,
    ): void {
      const watched = [...new Set(watchedIds)].slice(-WATCHED_MAX)
      // The page may have gone, or the program may be stopping, before the stream is open.
      if (!response.socket || response.socket.destroyed) return
      if (isClosed) return void response.end()
      const stream = { userId, sessionId, watched, response, hidden: undefined }
      streams.add(stream)
      opened.push(stream)
      void deliverPending()
    },

    /** Ends every stream at once: none may delay a stop. */
    async close(): Promise<void> {
      isClosed = true
      clearInterval(timer)
      for (const stream of streams.all) streams.end(stream)
      await starting?.then((subscription) => subscription.close())
    },
  }
}
