import { onNetworkBack } from '#web/lib/online.ts'

const WAITS_MS = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000]

export interface Backoff {
  /** Ends early when the network is back, the page is shown again, or `skip` is called. */
  wait: (signal: AbortSignal) => Promise<void>
  skip: () => void
  /** After a success, the next wait is short again. */
  reset: () => void
}

/** Growing waits between attempts. */
export function createBackoff(): Backoff {
  let count = 0
  let endWait: (() => void) | undefined
  return {
    wait: (signal) =>
      new Promise((resolve) => {
        const longest = WAITS_MS[Math.min(count, WAITS_MS.length - 1)] ?? 0
        count += 1
        const end = () => {
          clearTimeout(timer)
          stopListening()
          signal.removeEventListener('abort', end)
          resolve()
        }
        // Random, so that many phones do not retry at the same instant.
        const timer = setTimeout(end, longest * (0.75 + Math.random() / 2))
        const stopListening = onNetworkBack(end)
        signal.addEventListener('abort', end)
        endWait = end
      }),
    skip: () => endWait?.(),
    reset: () => {
      count = 0
    },
  }
}
