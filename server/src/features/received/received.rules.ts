import type { ReceivedState } from '#contract/received.ts'
import { REVEAL_HORIZON_YEARS } from '#contract/sealing.ts'
import { addDays, dayAt, startOfDay } from '#contract/zoned-time.ts'
import {
  isAddressee,
  isAnnouncedTo,
  isRevealed,
  type ViewerRelation,
} from '#server/features/access/access.rules.ts'
import type { EnvelopeRow } from '#server/features/access/envelopes.rules.ts'

/** What of a letter the gate lets somebody see decides how it stands among what they received. */
interface Seen {
  envelope: EnvelopeRow
  relation: ViewerRelation
  now: Date
  openedAt: Date | null
}

/**
 * How a letter that somebody may see stands in « Reçues »; undefined where it is for others, or a surprise: before the
 * instant one that anybody may see does not say for whom it is.
 */
export function receivedStateOf({
  envelope,
  relation,
  now,
  openedAt,
}: Seen): ReceivedState | undefined {
  if (!isAddressee(relation)) return undefined
  if (isRevealed(envelope, now)) return openedAt === null ? 'waiting' : 'opened'
  return relation.isAuthor || isAnnouncedTo(relation, envelope) ? 'upcoming' : undefined
}

/**
 * The same day of earlier years in a zone, each from its first instant to the next day’s. What happened on 29 February is of
 * the 28th in years without one.
 */
export function sameDayOfEarlierYears(
  now: Date,
  timeZone: string,
): { years: number; from: Date; until: Date }[] {
  const today = dayAt(now, timeZone)
  const year = Number(today.slice(0, 4))
  const monthAndDay = today.slice(4)
  const isShortFebruary = monthAndDay === '-02-28' && !hasLeapDay(year)
  return Array.from({ length: REVEAL_HORIZON_YEARS }, (_, index) => index + 1).flatMap((years) => {
    const earlier = year - years
    if (monthAndDay === '-02-29' && !hasLeapDay(earlier)) return []
    const day = `${earlier}${monthAndDay}`
    const days = isShortFebruary && hasLeapDay(earlier) ? 2 : 1
    const from = startOfDay(day, timeZone)
    return { years, from, until: startOfDay(addDays(day, days), timeZone) }
  })
}

function hasLeapDay(year: number): boolean {
  return new Date(Date.UTC(year, 1, 29)).getUTCDate() === 29
}
