import type { ServerResponse } from 'node:http'
import { WATCHED_MAX } from '#contract/events.ts'
import type { AppContext } from '#server/context.ts'
import { listRevealedWithin } from '#server/features/access/envelopes.service.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { type DomainEvent, type Subscription, subscribe } from '#server/platform/pubsub/pubsub.ts'
import { closeExpired, deliver, makeReady, yieldingIterator } from './event-delivery.service.ts'
import { HEARTBEAT } from './event-messages.ts'
import { createEventStreams, type EventStream } from './event-streams.ts'

const TICK_MS = 100
const TICKS_BETWEEN_LOOKS = 10
/** Each tick greets one part of the streams, so that thousands are never written to at once. */
const TICKS_BETWEEN_HEARTBEATS = 250

export interface LiveEvents {
  /** Resolves once this process hears of what happens. */
  start(): Promise<void>
  /** Makes the answer a stream of what this person may hear of. */
  open(actor: Actor, watched: readonly string[], response: ServerResponse): void
  /** Ends every stream at once: they must not hold up a stop. */
  close(): Promise<void>
}

/** The streams of one process. One connection, one clock and one queue serve them all. */
export function createLiveEvents(ctx: AppContext): LiveEvents {
  const streams = createEventStreams()
  let heard: DomainEvent[] = []
  let opened: EventStream[] = []
  let hasMissed = false
  let isDelivering = false
  let isTicking = false
  let isClosed = false
  let starting: Promise<Subscription> | undefined
  let clock: NodeJS.Timeout | undefined
  let lookedAt = ctx.now()
  let tick = 0

  function onEvents(happenings: readonly DomainEvent[]): void {
    if (streams.all.size === 0) return
    heard.push(...happenings)
    void deliverAll()
  }

  /** One delivery at a time: what happens and who comes meanwhile are seen to together. */
  async function deliverAll(): Promise<void> {
    if (isDelivering) return
    isDelivering = true
    try {
      while (heard.length > 0 || opened.length > 0 || hasMissed) {
        const [happenings, concerned] = [heard, hasMissed ? streams.all : opened]
        heard = []
        opened = []
        hasMissed = false
        await deliver(ctx, streams, happenings)
        await makeReady(ctx, streams, concerned)
      }
    } catch (error) {
      ctx.log.warn({ err: error }, 'a change could not be passed on')
      // The next tick tells all pages to ask again.
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
      if (tick % TICKS_BETWEEN_LOOKS === 0) await look()
      await greet()
    } catch (error) {
      ctx.log.warn({ err: error }, 'a look for what is revealed, or a heartbeat, comes later')
    } finally {
      isTicking = false
    }
  }

  async function look(): Promise<void> {
    const span = { since: lookedAt, until: ctx.now() }
    if (streams.all.size > 0) {
      const revealed = await listRevealedWithin(ctx, span)
      onEvents(revealed.map((one) => ({ ...one, type: 'revelation', change: 'state' })))
      if (hasMissed) await deliverAll()
    }
    lookedAt = span.until
  }

  async function greet(): Promise<void> {
    const part = tick % TICKS_BETWEEN_HEARTBEATS
    const greeted: EventStream[] = []
    let place = 0
    for (const stream of streams.all) {
      if (place % TICKS_BETWEEN_HEARTBEATS === part) greeted.push(stream)
      place += 1
    }
    const living = (await closeExpired(ctx, streams, greeted)).keys()
    for await (const stream of yieldingIterator(living)) {
      streams.send(stream, HEARTBEAT)
    }
  }

  async function start(): Promise<void> {
    starting ??= subscribe(ctx.pool, ctx.log, {
      onEvents,
      onReconnect() {
        hasMissed = true
        void deliverAll()
      },
    })
    try {
      await starting
    } catch (error) {
      starting = undefined
      throw error
    }
    if (clock || isClosed) return
    lookedAt = ctx.now()
    clock = setInterval(() => void onTick(), TICK_MS)
  }

  return {
    start,
    open({ userId, sessionId }, watched, response) {
      const ids = [...new Set(watched)].slice(-WATCHED_MAX)
      const stream = { userId, sessionId, watched: ids, response, hidden: undefined }
      // The page, or the program, may have gone before it was let in.
      if (!response.socket || response.socket.destroyed) return
      if (isClosed) return void response.end()
      streams.add(stream)
      opened.push(stream)
      void deliverAll()
    },
    async close() {
      isClosed = true
      clearInterval(clock)
      for (const stream of streams.all) streams.end(stream)
      await starting?.then((listening) => listening.close())
    },
  }
}
