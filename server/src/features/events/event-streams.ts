import type { ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import type { EventName, RevelationChanged } from '#contract/events.ts'

/** What waits at most for a page that does not read: beyond it the stream is cut, and the page opens another. */
const BACKLOG_MAX_BYTES = 16 * 1024
const STREAMS_PER_SESSION = 5

/** One open page. Thousands of them wait for hours: an object is as small as possible. */
export interface EventStream {
  readonly userId: string
  readonly sessionId: string
  watched: readonly string[]
  readonly response: ServerResponse
  /** What of `watched` the page may not see, mostly nothing; undefined until it is `ready`. */
  hidden: Set<string> | undefined
}

/** The streams of this process, found by user and by watched revelation. */
export function createEventStreams() {
  const all = new Set<EventStream>()
  const byUser: Index = new Map()
  const byWatched: Index = new Map()

  function remove(stream: EventStream): void {
    if (!all.delete(stream)) return
    removeFrom(byUser, stream.userId, stream)
    for (const id of stream.watched) removeFrom(byWatched, id, stream)
  }

  function end(stream: EventStream): void {
    remove(stream)
    stream.response.end()
  }

  return {
    all: all as ReadonlySet<EventStream>,
    ofUser: (userId: string): Iterable<EventStream> => byUser.get(userId)?.streams ?? [],
    watching: (id: string): Iterable<EventStream> => byWatched.get(id)?.streams ?? [],

    /** Adds a stream, which is removed when its connection closes. A session that opens too many loses its oldest. */
    add(stream: EventStream): void {
      const ofSession = [...(byUser.get(stream.userId)?.streams ?? [])].filter(
        ({ sessionId }) => sessionId === stream.sessionId,
      )
      for (const oldest of ofSession.slice(
        0,
        Math.max(0, ofSession.length + 1 - STREAMS_PER_SESSION),
      ))
        end(oldest)
      all.add(stream)
      addTo(byUser, stream.userId, stream)
      // Many pages watch the same: each id is stored once, without the address that it is a part of.
      stream.watched = stream.watched.map((id) => addTo(byWatched, id, stream))
      stream.response.once('close', () => remove(stream))
    },

    send(stream: EventStream, bytes: Buffer): void {
      if (!all.has(stream)) return
      const { response } = stream
      if (response.writableLength <= BACKLOG_MAX_BYTES) {
        response.write(bytes)
        return
      }
      remove(stream)
      response.destroy()
    },

    end,
  }
}

export type EventStreams = ReturnType<typeof createEventStreams>

type Index = Map<string, { key: string; streams: Set<EventStream> }>

function addTo(index: Index, key: string, stream: EventStream): string {
  const found = index.get(key)
  if (!found) index.set(key, { key, streams: new Set([stream]) })
  found?.streams.add(stream)
  return found?.key ?? key
}

function removeFrom(index: Index, key: string, stream: EventStream): void {
  const found = index.get(key)
  found?.streams.delete(stream)
  if (found?.streams.size === 0) index.delete(key)
}

const STREAMS_IN_A_ROW = 32

/** Lets requests through in between: thousands of streams are not worth a pause of everybody else. */
export async function* yieldingIterator<T>(items: Iterable<T>): AsyncGenerator<T> {
  let count = 0
  for (const item of items) {
    yield item
    count += 1
    if (count % STREAMS_IN_A_ROW === 0) await setImmediate()
  }
}

/** Keeps the connection open; pages ignore it. */
export const HEARTBEAT = Buffer.from(':\n\n')
export const READY = formatMessage('ready', {})
export const RELATIONSHIPS = formatMessage('relationships', {})
export const VOICE_MESSAGES = formatMessage('sounds', {})
export const NOTIFICATIONS = formatMessage('notifications', {})

export function formatRevelationMessage(changed: RevelationChanged): Buffer {
  return formatMessage('revelation', changed)
}

function formatMessage(name: EventName, data: object): Buffer {
  return Buffer.from(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
}
