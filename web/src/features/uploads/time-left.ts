import { formatLength } from '#web/lib/durations.ts'

// Over so long, a phone's ups and downs even out.
const WINDOW_MS = 15_000
// Before that, it would be a guess.
const KNOWN_AFTER_MS = 4_000
const WORTH_SAYING_SECONDS = 8

interface Sample {
  atMs: number
  bytes: number
}

/** How long the rest will take at the pace of the last seconds; undefined as long as it would be a guess. */
export function measureTimeLeft(totalBytes: number) {
  let samples: Sample[] = []
  return (bytes: number, atMs: number): number | undefined => {
    const last = samples.at(-1)
    // What was on its way is lost: the pace is measured anew.
    if (last && bytes < last.bytes) samples = []
    samples.push({ atMs, bytes })
    samples = samples.filter((sample) => atMs - sample.atMs <= WINDOW_MS)
    const [first] = samples
    if (!first || atMs - first.atMs < KNOWN_AFTER_MS || bytes <= first.bytes) return undefined
    const bytesPerMs = (bytes - first.bytes) / (atMs - first.atMs)
    return (totalBytes - bytes) / bytesPerMs / 1000
  }
}

/** « encore 40 s », « encore 3 min »; nothing when it is nearly over. */
export function timeLeftInWords(seconds: number | undefined): string | undefined {
  if (seconds === undefined || seconds < WORTH_SAYING_SECONDS) return undefined
  const rounded = seconds < 60 ? Math.ceil(seconds / 10) * 10 : Math.ceil(seconds / 60) * 60
  return `encore ${formatLength(rounded)}`
}
