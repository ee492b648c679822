import type { Sound } from '#contract/sounds.ts'
import { formatShortInstant } from '#web/lib/french-dates.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** « dans 3h » within a day, « dans 5 jours » within a week, else « le 1 janvier 2027 à 00:00 ». */
export function lockWords(revealDate: string, timeZone: string, nowMs: number): string {
  const remaining = Date.parse(revealDate) - nowMs
  if (remaining <= DAY_MS) return `dans ${Math.max(1, Math.round(remaining / HOUR_MS))}h`
  if (remaining <= 7 * DAY_MS) {
    const days = Math.round(remaining / DAY_MS)
    return `dans ${days} ${days > 1 ? 'jours' : 'jour'}`
  }
  return `le ${formatShortInstant(revealDate, timeZone)}`
}

interface Wait {
  words: string
  /** What is over of it, from 0 to 1, in steps of one hundredth. */
  share: number
}

const waits = new WeakMap<Sound, Wait & { nowMs: number }>()

/** How long a sound still waits; undefined once it is open. Kept for as long as it is the same instant: zones are dear to read. */
export function waitOf(sound: Sound, nowMs: number): Wait | undefined {
  const { is_revealed, reveal_date, time_zone, created_at } = sound
  if (is_revealed || !reveal_date) return undefined
  const known = waits.get(sound)
  if (known?.nowMs === nowMs) return known
  const words = lockWords(reveal_date, time_zone, nowMs)
  const wait = { words, share: elapsedShare(created_at, reveal_date, nowMs), nowMs }
  waits.set(sound, wait)
  return wait
}

function elapsedShare(from: string, until: string, nowMs: number): number {
  const start = Date.parse(from)
  const share = (nowMs - start) / Math.max(1, Date.parse(until) - start)
  return Math.round(Math.min(1, Math.max(0, share)) * 100) / 100
}
