import { ACHIEVEMENTS, type Achievement, REVEALS_MAX_DAYS, SCORE_LABELS } from '#contract/circle.ts'
import { addDays, dayAt, listMonths, type Month, startOfDay } from '#contract/zoned-time.ts'
import { recipientFor, type ViewerRelation } from '#server/features/access/access.rules.ts'
import type { EnvelopeRow } from '#server/features/access/envelopes.rules.ts'

const MONTHS_SHOWN = 12
const DAY_MS = 86_400_000

/** Twelve months, the oldest first, the last one that of `now` in this zone. */
export function monthsUntil(now: Date, timeZone: string): Month[] {
  return listMonths(now, timeZone, MONTHS_SHOWN)
}

/** The twelve months of the year it is in this zone, and the first instant of the next year. */
export function yearOf(now: Date, timeZone: string): { months: Month[]; endsAt: Date } {
  const year = Number(dayAt(now, timeZone).slice(0, 4))
  const months = listMonths(startOfDay(`${year}-12-01`, timeZone), timeZone, 12)
  return { months, endsAt: startOfDay(`${year + 1}-01-01`, timeZone) }
}

/** Who waits for a letter, as far as this viewer may know (behaviour.md 2.5): its author knows all, a recipient those they may see. */
export function waitersOf(
  {
    recipients,
    recipientsSeeEachOther,
  }: Pick<EnvelopeRow, 'recipients' | 'recipientsSeeEachOther'>,
  relation: ViewerRelation,
): { isForMe: boolean; names: string[]; unnamed: number } {
  const own = recipientFor(relation, { recipients })
  const seesOthers = relation.isAuthor || (own !== undefined && recipientsSeeEachOther)
  const others = seesOthers ? recipients.filter((recipient) => recipient !== own) : []
  const names = others.flatMap(({ name, address }) =>
    relation.isAuthor ? (name ?? address) : (name ?? []),
  )
  return { isForMe: own !== undefined, names, unnamed: others.length - names.length }
}

/** The count of one person in one month: `place` is its place among the requested ones from 1 on, 0 for all before. */
export interface Tally {
  authorId: string
  place: number
  count: number
}

export function totalOf(tallies: readonly { count: number }[]): number {
  return tallies.reduce((sum, { count }) => sum + count, 0)
}

/** The counts of each month. */
export function byMonth(
  tallies: readonly Pick<Tally, 'place' | 'count'>[],
  months: number,
): number[] {
  return Array.from({ length: months }, (_, at) =>
    totalOf(tallies.filter(({ place }) => place === at + 1)),
  )
}

export function byAuthor(tallies: readonly Tally[]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const { authorId, count } of tallies) sums.set(authorId, (sums.get(authorId) ?? 0) + count)
  return sums
}

/** behaviour.md 10.4: ten times the reactions and comments a delivery has; 0 without any delivery. */
export function engagementOf(deliveries: number, interactions: number): number {
  return deliveries === 0 ? 0 : Math.round((10 * interactions) / deliveries)
}

/** behaviour.md 10.4. */
export function scoreOf(circle: {
  members: number
  deliveries: number
  averageEngagement: number
}): number {
  const { members, deliveries, averageEngagement } = circle
  return Math.min(100, 10 * members + 5 * deliveries + 2 * averageEngagement)
}

export function labelOf(score: number): (typeof SCORE_LABELS)[number] {
  const [excellent, good, average, toImprove] = SCORE_LABELS
  if (score >= 80) return excellent
  if (score >= 60) return good
  return score >= 40 ? average : toImprove
}

/** The growth of this month since the last one, in percent. */
export function growthOf(thisMonth: number, lastMonth: number): number {
  if (lastMonth > 0) return Math.round((100 * (thisMonth - lastMonth)) / lastMonth)
  return thisMonth > 0 ? 100 : 0
}

export function achievementsOf(circle: {
  members: number
  deliveries: number
  score: number
}): { id: Achievement; is_reached: boolean }[] {
  const reached: Record<Achievement, boolean> = {
    first_revelation: circle.deliveries >= 1,
    family_builder: circle.members >= 5,
    storyteller: circle.deliveries >= 10,
    family_champion: circle.score >= 80,
  }
  return ACHIEVEMENTS.map((id) => ({ id, is_reached: reached[id] }))
}

export interface TopContributor {
  authorId: string | null
  deliveries: number
  period: 'month' | 'all' | 'none'
}

/** The member with the most deliveries this month, else of all time; of equals, the one who leads over all time. */
export function topContributorOf(tallies: readonly Tally[], months: number): TopContributor {
  const ever = byAuthor(tallies)
  const thisMonth = byAuthor(tallies.filter(({ place }) => place === months))
  for (const [period, sums] of [
    ['month', thisMonth],
    ['all', ever],
  ] as const) {
    const [first] = [...sums].toSorted(
      ([one, oneCount], [other, otherCount]) =>
        otherCount - oneCount ||
        (ever.get(other) ?? 0) - (ever.get(one) ?? 0) ||
        one.localeCompare(other),
    )
    if (first) return { authorId: first[0], deliveries: first[1], period }
  }
  return { authorId: null, deliveries: 0, period: 'none' }
}

/** The instants from the start of one day until the end of another, or the reason of a refusal. */
export function parseSpan(
  { from, to }: { from: string; to: string },
  timeZone: string,
): { from: Date; to: Date } | { refusal: string } {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  if (days < 1) return { refusal: 'La fin de la période doit suivre son début' }
  if (days > REVEALS_MAX_DAYS) {
    return { refusal: `La période ne peut pas dépasser ${REVEALS_MAX_DAYS}\u00A0jours` }
  }
  return { from: startOfDay(from, timeZone), to: startOfDay(addDays(to, 1), timeZone) }
}

/** The dates nearest to now, up to the limit, the soonest first. */
export function nearest<T extends { revealAt: Date }>(
  dates: readonly T[],
  now: Date,
  limit: number,
): T[] {
  const distance = ({ revealAt }: T) => Math.abs(revealAt.getTime() - now.getTime())
  return dates
    .toSorted((one, other) => distance(one) - distance(other))
    .slice(0, limit)
    .toSorted((one, other) => one.revealAt.getTime() - other.revealAt.getTime())
}
