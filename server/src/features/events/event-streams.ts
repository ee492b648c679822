import type { ServerResponse } from 'node:http'

/** What waits at most for a page that does not read; then it is cut off, and asks again. */
const BACKLOG_MAX_BYTES = 16 * 1024
const STREAMS_PER_SESSION = 5

/** One page that is open, as small as can be: thousands of them wait for hours. */
export interface EventStream {
  readonly userId: string
  readonly sessionId: string
  readonly watched: readonly string[]
  readonly response: ServerResponse
  /** What of it the page may not know of, mostly nothing; undefined until it is `ready`. */
  hidden: Set<string> | undefined
}

/** The streams of this process, by what is looked for. */
export function createEventStreams() {
  const all = new Set<EventStream>()
  const byUser = new Map<string, Set<EventStream>>()
  const byWatched = new Map<string, Set<EventStream>>()

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
    ofUser: (userId: string): Iterable<EventStream> => byUser.get(userId) ?? [],
    watching: (id: string): Iterable<EventStream> => byWatched.get(id) ?? [],

    /** Adds a stream that leaves when its connection does; a session that opens too many loses its oldest. */
    add(stream: EventStream): void {
      const ofSession = [...(byUser.get(stream.userId) ?? [])].filter(
        ({ sessionId }) => sessionId === stream.sessionId,
      )
      for (const oldest of ofSession.slice(
        0,
        Math.max(0, ofSession.length + 1 - STREAMS_PER_SESSION),
      ))
        end(oldest)
      all.add(stream)
      addTo(byUser, stream.userId, stream)
      for (const id of stream.watched) addTo(byWatched, id, stream)
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

function addTo(index: Map<string, Set<EventStream>>, key: string, stream: EventStream): void {
  const found = index.get(key)
  if (found) found.add(stream)
  else index.set(key, new Set([stream]))
}

function removeFrom(index: Map<string, Set<EventStream>>, key: string, stream: EventStream): void {
  const found = index.get(key)
  found?.delete(stream)
  if (found?.size === 0) index.delete(key)
}
