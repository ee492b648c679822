import { onNetworkBack } from '#web/lib/network-back.ts'

const WAITS_MS = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000]

export interface GrowingWaits {
  /** Over sooner when the network is back, when a phone that slept shows the page again, or when one asks. */
  next: (signal: AbortSignal) => Promise<void>
  /** Ends the wait under way. */
  end: () => void
  /** Something went through: the next wait is a short one again. */
  reset: () => void
}

/** Waits between attempts: the longer it fails, the less often it is tried. */
export function growingWaits(): GrowingWaits {
  let count = 0
  let endOfThis: (() => void) | undefined
  return {
    next: (signal) =>
      new Promise((resolve) => {
        const longest = WAITS_MS[Math.min(count, WAITS_MS.length - 1)] ?? 0
        count += 1
        const end = () => {
          clearTimeout(timer)
          stopListening()
          signal.removeEventListener('abort', end)
          resolve()
        }
        // Many phones come back at once after a server did: they do not all ask at the same instant.
        const timer = setTimeout(end, longest * (0.75 + Math.random() / 2))
        const stopListening = onNetworkBack(end)
        signal.addEventListener('abort', end)
        endOfThis = end
      }),
    end: () => endOfThis?.(),
    reset: () => {
      count = 0
    },
  }
}
