import type * as z from 'zod/mini'
import { DEFAULT_TIME_ZONE, REVEAL_HORIZON_YEARS } from '#contract/sealing.ts'
import { addDays, addMonths, dayAt, instantOf, startOfDay, timeAt } from '#contract/zoned-time.ts'
import { serverNow } from '#web/lib/clock.ts'
import { browserTimeZone } from '#web/lib/dates.ts'
import { fieldIssue } from '#web/lib/forms.ts'

/** A day, « 2027-01-01 », and an hour, « 18:30 » or empty for the start of the day. */
export interface Moment {
  day: string
  time: string
}

/** The time zone of the person; a browser that answers UTC hides where it is, so the default replaces it. */
export function personTimeZone(): string {
  const zone: string | undefined = browserTimeZone()
  return !zone || zone === 'UTC' || zone.startsWith('Etc/') ? DEFAULT_TIME_ZONE : zone
}

export function instantOfMoment({ day, time }: Moment, timeZone: string): Date {
  return time ? instantOf(day, time, timeZone) : startOfDay(day, timeZone)
}

/** The `reveal_date` of the wire: a bare day opens at its start, in the zone sent beside it. */
export function revealDateOf(moment: Moment, timeZone: string): string {
  return moment.time ? instantOfMoment(moment, timeZone).toISOString() : moment.day
}

/** Whether the form was left at that instant, which it shows to the minute. */
export function isMomentOf({ day, time }: Moment, instant: string, timeZone: string): boolean {
  const date = new Date(instant)
  return day === dayAt(date, timeZone) && (time || '00:00') === timeAt(date, timeZone)
}

export function isPastMoment(moment: Moment, timeZone: string): boolean {
  return instantOfMoment(moment, timeZone).getTime() <= serverNow()
}

/** Today on the server's clock, plus days and months. */
export function dayFromNow(days: number, timeZone: string, months = 0): string {
  const today = dayAt(new Date(serverNow()), timeZone)
  return addDays(addMonths(today, months), days)
}

export function furthestDay(timeZone: string): string {
  return dayFromNow(-1, timeZone, REVEAL_HORIZON_YEARS * 12)
}

/** The first valid day, and the message for earlier ones; the stored instant is always valid. */
export interface MomentRule {
  firstDay: string
  tooEarly: string
  storedInstant?: string
}

/** Why a moment cannot be chosen, or undefined. An empty day is refused by the schema. */
export function validateMoment(
  moment: Moment,
  timeZone: string,
  { firstDay, tooEarly, storedInstant }: MomentRule,
): string | undefined {
  if (!moment.day) return undefined
  if (storedInstant && isMomentOf(moment, storedInstant, timeZone)) return undefined
  if (moment.day < firstDay) return tooEarly
  if (moment.day > furthestDay(timeZone)) {
    return 'La date de révélation est trop lointaine (100 ans au plus)'
  }
  return undefined
}

/** Refuses the days of a schema's `day` that cannot be chosen; `rule` is asked at each check, as days go by. */
export function checkMoment(timeZone: string, rule: () => MomentRule): z.core.CheckFn<Moment> {
  return ({ value, issues }) => {
    const refusal = validateMoment(value, timeZone, rule())
    if (refusal) issues.push(fieldIssue('day', refusal, value))
  }
}
