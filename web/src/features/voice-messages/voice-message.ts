import type { Sound, SoundCategory } from '#contract/sounds.ts'
import { formatShortInstant } from '#web/lib/dates.ts'

/** The API calls a voice message « sound ». */
export type VoiceMessage = Sound
export type LockedVoiceMessage = VoiceMessage & { reveal_date: string }

export function isPlayable({ can_access, file_url }: VoiceMessage): boolean {
  return can_access && file_url !== undefined
}

/** The id of the main button of a row. */
export function rowButtonId(id: string): string {
  return `sound-${id}`
}

export const CATEGORY_LABELS: Record<SoundCategory, string> = {
  message: 'Message',
  music: 'Musique',
  memory: 'Souvenir',
  story: 'Histoire',
}

/** For whom a voice message is, as the viewer reads it. */
export function audienceLabel(voiceMessage: VoiceMessage, viewerId: string): string {
  if (!voiceMessage.recipient_id) return 'Tout le cercle'
  if (voiceMessage.recipient_id === viewerId) return 'Pour vous'
  return `Pour @${voiceMessage.recipient_pseudo ?? 'quelqu’un'}`
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** « dans 3h » within a day, « dans 5 jours » within a week, else « le 1 janvier 2027 à 00:00 ». */
export function formatRevealDelay(revealDate: string, timeZone: string, nowMs: number): string {
  const remaining = Date.parse(revealDate) - nowMs
  if (remaining <= DAY_MS) return `dans ${Math.max(1, Math.round(remaining / HOUR_MS))}h`
  if (remaining <= 7 * DAY_MS) {
    const days = Math.round(remaining / DAY_MS)
    return `dans ${days} ${days > 1 ? 'jours' : 'jour'}`
  }
  return `le ${formatShortInstant(revealDate, timeZone)}`
}

interface Wait {
  label: string
  /** The part of the wait that is over, from 0 to 1, in hundredths. */
  elapsedShare: number
}

const waits = new WeakMap<VoiceMessage, Wait & { nowMs: number }>()

/** How long a voice message still waits; undefined once it is revealed. Cached per instant: time zones are slow to compute. */
export function waitOf(voiceMessage: VoiceMessage, nowMs: number): Wait | undefined {
  const { is_revealed, reveal_date, time_zone, created_at } = voiceMessage
  if (is_revealed || !reveal_date) return undefined
  const known = waits.get(voiceMessage)
  if (known?.nowMs === nowMs) return known
  const wait = {
    label: formatRevealDelay(reveal_date, time_zone, nowMs),
    elapsedShare: shareElapsed(created_at, reveal_date, nowMs),
    nowMs,
  }
  waits.set(voiceMessage, wait)
  return wait
}

function shareElapsed(from: string, until: string, nowMs: number): number {
  const start = Date.parse(from)
  const share = (nowMs - start) / Math.max(1, Date.parse(until) - start)
  return Math.round(Math.min(1, Math.max(0, share)) * 100) / 100
}
