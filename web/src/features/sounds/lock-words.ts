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
