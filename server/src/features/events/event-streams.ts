import type { ServerResponse } from 'node:http'

/** What waits at most for a page that does not read; then it is cut off, and asks again. */
const BACKLOG_MAX_BYTES = 16 * 1024
const STREAMS_PER_SESSION = 5

/** One page that is open, as small as can be: thousands of them wait for hours. */
export interface EventStream {
  readonly userId: string
  readonly sessionId: string
  watched: readonly string[]
  readonly response: ServerResponse
  /** What of it the page may not know of, mostly nothing; undefined until it is `ready`. */
  hidden: Set<string> | undefined
}

/** The streams of this process, by what is looked for. */
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

    /** Adds a stream that leaves when its connection does; a session that opens too many loses its oldest. */
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
      // Many pages watch the same: each id is kept once, and not the address it was cut from.
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
