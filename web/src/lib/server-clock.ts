/*
 * The countdown follows the server's clock, read from the Date header of its answers. That header is cut to the
 * second, so each answer only bounds the difference between the two clocks; the bounds of several
 * answers together are much closer than one second.
 */
let lowest = Number.NEGATIVE_INFINITY
let highest = Number.POSITIVE_INFINITY

/** Learns from one answer: its Date header, and this device's clock before the request and after the answer. */
export function learnServerClock(
  dateHeader: string | null,
  sentAtMs: number,
  receivedAtMs: number,
): void {
  const second = Date.parse(dateHeader ?? '')
  if (Number.isNaN(second)) return
  const low = second - receivedAtMs
  const high = second + 1000 - sentAtMs
  // Bounds that contradict each other: one of the two clocks was set meanwhile. Start again.
  const contradicts = low > highest || high < lowest
  lowest = contradicts ? low : Math.max(lowest, low)
  highest = contradicts ? high : Math.min(highest, high)
}

let heldMs: number | undefined
/** When the server made the first screen. */
let firstMs: number | undefined

/** Until it is let go the clock stands still: what the server rendered, the browser renders again word for word. */
export function holdServerClock(atMs: number): () => void {
  heldMs = firstMs = atMs
  return () => {
    heldMs = undefined
  }
}

/** A part that is taken over late must find there what the server wrote, long after the clock was let go. */
export function asInFirstScreen<T>(read: () => T): T {
  const held = heldMs
  heldMs = firstMs
  try {
    return read()
  } finally {
    heldMs = held
  }
}

/** The server's clock in milliseconds; this device's own clock while nothing shows that it is wrong. */
export function serverNow(): number {
  return heldMs ?? Date.now() + clockOffset()
}

function clockOffset(): number {
  if (lowest <= 0 && highest >= 0) return 0
  return Math.round((lowest + highest) / 2)
}

/** Forgets what was learnt; each test starts without a past. */
export function forgetServerClock(): void {
  lowest = Number.NEGATIVE_INFINITY
  highest = Number.POSITIVE_INFINITY
  heldMs = firstMs = undefined
}
