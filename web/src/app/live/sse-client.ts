import { EventSourceParserStream } from 'eventsource-parser/stream'
import { openEvents } from '#contract/events.ts'
import { endSession } from '#web/lib/api-client.ts'
import { readToken } from '#web/lib/session-token.ts'

const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 60_000
/** The server sends something at least every half minute; a silence means that the connection is dead. */
const LONGEST_SILENCE_MS = 75_000

export interface Follower {
  /** The stream stands. `isAgain`: after a time of which nothing is known. */
  onReady: (isAgain: boolean) => void
  onEvent: (name: string, data: string) => void
}

/** Follows the events of these revelations and of this person, reconnecting until the function it returns is called. */
export function followEvents(watched: readonly string[], follower: Follower): () => void {
  const stop = new AbortController()
  void followUntil(stop.signal, watched, follower)
  return () => stop.abort()
}

async function followUntil(
  stopped: AbortSignal,
  watched: readonly string[],
  { onReady, onEvent }: Follower,
): Promise<void> {
  let wait = FIRST_WAIT_MS
  let isAgain = false
  while (!stopped.aborted) {
    try {
      await readStream(stopped, watched, (name, data) => {
        if (name !== 'ready') return onEvent(name, data)
        wait = FIRST_WAIT_MS
        onReady(isAgain)
        isAgain = true
      })
    } catch (error) {
      if (error instanceof SessionEnded) return
      // A lost network, a server that starts again: one more reason to try again.
    }
    // All the pages a server lost come back, but not together.
    await pause(wait * (0.5 + Math.random()), stopped)
    wait = Math.min(wait * 2, LONGEST_WAIT_MS)
  }
}

class SessionEnded extends Error {}

async function readStream(
  stopped: AbortSignal,
  watched: readonly string[],
  onEvent: (name: string, data: string) => void,
): Promise<void> {
  const token = readToken()
  if (!token) throw new SessionEnded()
  const silence = new AbortController()
  const url = new URL(openEvents.url, window.location.origin)
  if (watched.length > 0) url.searchParams.set('watch', watched.join())
  const response = await fetch(url, {
    cache: 'no-store',
    headers: { accept: 'text/event-stream', authorization: `Bearer ${token}` },
    signal: AbortSignal.any([stopped, silence.signal]),
  })
  if (response.status === 401) {
    endSession(token)
    throw new SessionEnded()
  }
  if (!response.ok || !response.body) throw new Error(`The events answered ${response.status}`)
  let timer: ReturnType<typeof setTimeout> | undefined
  const onActivity = () => {
    clearTimeout(timer)
    timer = setTimeout(() => silence.abort(), LONGEST_SILENCE_MS)
  }
  try {
    onActivity()
    const events = response.body
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream({ onComment: onActivity }))
    const reader = events.getReader()
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      onActivity()
      onEvent(next.value.event ?? '', next.value.data)
    }
  } finally {
    clearTimeout(timer)
  }
}

function pause(durationMs: number, stopped: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, durationMs)
    stopped.addEventListener('abort', end)
    function end(): void {
      clearTimeout(timer)
      // A page that stays open for days waits many times.
      stopped.removeEventListener('abort', end)
      resolve()
    }
  })
}
