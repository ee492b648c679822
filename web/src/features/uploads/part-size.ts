import { CHECKED_PIECE_MAX_BYTES } from '#contract/uploads.ts'

// Held in memory here and there until its sum is known.
const LARGEST_BYTES = CHECKED_PIECE_MAX_BYTES / 2
const SMALLEST_BYTES = 256 * 1024
// So many in a row get through before larger ones are tried.
const GOOD_PARTS = 3

/** How much of a file leaves at once: a part that is cut is lost whole, and one that never gets through is too large. */
export interface PartSize {
  bytes: () => number
  /** A part got through. */
  grow: () => void
  /** One did not. */
  shrink: () => void
}

export function changingPartSize(): PartSize {
  let bytes = LARGEST_BYTES
  let good = 0
  return {
    bytes: () => bytes,
    grow: () => {
      good += 1
      if (good % GOOD_PARTS === 0) bytes = Math.min(LARGEST_BYTES, bytes * 2)
    },
    shrink: () => {
      good = 0
      bytes = Math.max(SMALLEST_BYTES, bytes / 2)
    },
  }
}
