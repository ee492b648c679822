import { useCallback, useSyncExternalStore } from 'react'
import { PAGE_CLOCK } from '#contract/endpoint.ts'
import { formatCountdown } from './dates.ts'

/*
 * The countdown follows the server's clock, which each of its answers carries (`SERVER_TIME_HEADER`). Nobody knows how much
 * of the way was the way back, so an answer only bounds the difference between the two clocks; the bounds of several answers
 * together are as close as the quickest of them. Pages turn together as closely as that.
 */
let lowest = Number.NEGATIVE_INFINITY
let highest = Number.POSITIVE_INFINITY

/** Learns from one answer: the server's clock in it, and this device's before the request and after the answer. */
export function learnServerClock(
  serverTime: string | number | null,
  sentAtMs: number,
  receivedAtMs: number,
): void {
  if (serverTime === null) return
  const serverMs = Number(serverTime)
  // Every clock is cut to the millisecond.
  const low = serverMs - receivedAtMs - 1
  const high = serverMs - sentAtMs + 1
  // Bounds that contradict each other: one of the two clocks was set meanwhile. Start again.
  const contradicts = low > highest || high < lowest
  lowest = contradicts ? low : Math.max(lowest, low)
  highest = contradicts ? high : Math.min(highest, high)
}

/** Learns from the page itself, which the server sent while the browser waited: many a page calls nothing else. */
export function learnClockOfPage(): void {
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  // Browsers tell what the server says of its times over TLS alone.
  const clock = visit?.serverTiming?.find(({ name }) => name === PAGE_CLOCK)
  if (!visit?.responseStart || !clock) return
  const beganMs = Date.now() - performance.now()
  learnServerClock(clock.duration, beganMs + visit.fetchStart, beganMs + visit.responseStart)
}

let frozenMs: number | undefined
/** When the server rendered the page. */
let firstMs: number | undefined

/** Stops the clock until the function it returns is called, so that the browser renders word for word what the server did. */
export function freezeServerClock(atMs: number): () => void {
  frozenMs = firstMs = atMs
  return () => {
    frozenMs = undefined
  }
}

/** Reads as at the time of the server’s render: a part that hydrates late must find what the server wrote. */
function asInFirstScreen<T>(read: () => T): T {
  const before = frozenMs
  frozenMs = firstMs
  try {
    return read()
  } finally {
    frozenMs = before
  }
}

/** The server's clock in milliseconds; this device's own clock while nothing shows that it is wrong. */
export function serverNow(): number {
  return frozenMs ?? Date.now() + clockOffset()
}

function clockOffset(): number {
  if (lowest <= 0 && highest >= 0) return 0
  return Math.round((lowest + highest) / 2)
}

/** For tests: each starts without a past. */
export function resetServerClock(): void {
  lowest = Number.NEGATIVE_INFINITY
  highest = Number.POSITIVE_INFINITY
  frozenMs = firstMs = undefined
}

const SECOND_MS = 1000

/** The countdown to an instant; renders again only when its text changes. */
export function useCountdown(instant: string): string {
  const target = Date.parse(instant)
  return useTicking(useCallback(() => formatCountdown(target, serverNow()), [target]))
}

/** Whether an instant is past on the server's clock; renders again at that very instant. No instant never is. */
export function useIsPast(instant: string | undefined): boolean {
  const target = instant === undefined ? Number.POSITIVE_INFINITY : Date.parse(instant)
  const read = useCallback(() => serverNow() >= target, [target])
  return useSyncExternalStore(
    useCallback((listener) => subscribe(listener, target), [target]),
    read,
    () => asInFirstScreen(read),
  )
}

/** The part of a wait that is over, from 0 to 1, in steps of one hundredth. */
export function useElapsedShare(from: string, until: string): number {
  return useShare(Date.parse(from), Date.parse(until), 100)
}

/** The part of a time that is over, from 0 to 1, in so many steps. */
export function useShare(startMs: number, endMs: number, steps: number): number {
  return useTicking(
    useCallback(() => {
      if (endMs <= startMs) return 1
      const share = (serverNow() - startMs) / (endMs - startMs)
      return Math.round(Math.min(1, Math.max(0, share)) * steps) / steps
    }, [startMs, endMs, steps]),
  )
}

/** A value read from the clock once a second; the component renders only when the value is another one. */
export function useTicking<T extends string | number | boolean>(read: () => T): T {
  // During the server’s render and its hydration the clock stands still (`freezeServerClock`).
  return useSyncExternalStore(subscribeToTicks, read, () => asInFirstScreen(read))
}

function subscribeToTicks(listener: () => void): () => void {
  return subscribe(listener)
}

// Who listens, and the instant that must not wait for the next second, if there is one.
const listeners = new Map<() => void, number>()
let timer: ReturnType<typeof setTimeout> | undefined

/** One ticker for all countdowns of the page, on the whole seconds of the server's clock. */
function subscribe(listener: () => void, alarm = 0): () => void {
  listeners.set(listener, alarm)
  if (listeners.size === 1) {
    // A page in the background ticks once a minute: catch up as soon as it is seen again.
    document.addEventListener('visibilitychange', tick)
  }
  scheduleTick()
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', tick)
  }
}

function tick(): void {
  for (const listener of [...listeners.keys()]) listener()
  if (listeners.size > 0) scheduleTick()
}

function scheduleTick(): void {
  const now = serverNow()
  let wait = SECOND_MS - (now % SECOND_MS)
  for (const alarm of listeners.values()) {
    if (alarm > now) wait = Math.min(wait, alarm - now)
  }
  clearTimeout(timer)
  timer = setTimeout(tick, wait)
}
