import { DEFAULT_TIME_ZONE, REVEAL_HORIZON_YEARS } from '#contract/sealing.ts'
import { addDays, dayAt, startOfDay } from '#contract/zoned-time.ts'

type Resolved = { revealAt: Date; timeZone: string } | { refusal: string }

const DAY_ONLY = /^\d{4}-\d{2}-\d{2}$/

/** The instant meant: a day opens at 00:00 in its zone. */
function instantOf(revealDate: string, timeZone: string): Date {
  return DAY_ONLY.test(revealDate) ? startOfDay(revealDate, timeZone) : new Date(revealDate)
}

/** A new revelation may open from the start of today (already revealed) to a hundred years on (behaviour.md 3.3). */
export function resolveNewRevealDate(
  input: { reveal_date: string; time_zone?: string | undefined },
  now: Date,
): Resolved {
  const timeZone = input.time_zone ?? DEFAULT_TIME_ZONE
  const revealAt = instantOf(input.reveal_date, timeZone)
  if (revealAt < startOfDay(dayAt(now, timeZone), timeZone)) {
    return { refusal: 'La date de révélation ne peut pas être dans le passé' }
  }
  return withinHorizon({ revealAt, timeZone }, now)
}

/** A sound may open at any instant to come; past, now or none means that it never was scheduled and opens at once. */
export function resolveSoundDate(
  input: { reveal_date?: string | null | undefined; time_zone?: string | undefined },
  now: Date,
): (Extract<Resolved, { revealAt: Date }> & { scheduledAt: Date | null }) | { refusal: string } {
  const timeZone = input.time_zone ?? DEFAULT_TIME_ZONE
  const scheduledAt = input.reveal_date ? instantOf(input.reveal_date, timeZone) : now
  if (scheduledAt <= now) return { scheduledAt: null, revealAt: now, timeZone }
  const date = withinHorizon({ revealAt: scheduledAt, timeZone }, now)
  return 'refusal' in date ? date : { ...date, scheduledAt }
}

/** An edit leaves the stored instant or moves it to tomorrow at the earliest. */
export function resolveMovedRevealDate(
  input: { reveal_date?: string | undefined; time_zone?: string | undefined },
  stored: { revealAt: Date; timeZone: string },
  now: Date,
): Resolved {
  const timeZone = input.time_zone ?? stored.timeZone
  if (input.reveal_date === undefined) return { revealAt: stored.revealAt, timeZone }
  const revealAt = instantOf(input.reveal_date, timeZone)
  if (revealAt.getTime() === stored.revealAt.getTime()) return { revealAt, timeZone }
  if (revealAt < startOfDay(addDays(dayAt(now, timeZone), 1), timeZone)) {
    return { refusal: 'La date de révélation doit être au plus tôt demain' }
  }
  return withinHorizon({ revealAt, timeZone }, now)
}

function withinHorizon(date: { revealAt: Date; timeZone: string }, now: Date): Resolved {
  const furthest = new Date(now)
  furthest.setUTCFullYear(furthest.getUTCFullYear() + REVEAL_HORIZON_YEARS)
  if (date.revealAt > furthest) {
    return { refusal: 'La date de révélation est trop lointaine (100 ans au plus)' }
  }
  return date
}
