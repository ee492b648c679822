import type { Plan, Subscription } from '#contract/subscriptions.ts'
import { serverNow } from '#web/lib/clock.ts'
import { browserTimeZone, formatDay, formatRelative } from '#web/lib/dates.ts'
import { counted } from '#web/lib/format.ts'

const A_DAY_MS = 86_400_000

export const PLAN_NAMES: Record<Plan, string> = {
  free: 'Gratuit',
  standard: 'Standard',
  pro: 'Pro',
  unlimited: 'Illimité',
}

/** The background of badge and card; `plans.css` has the colours. */
export const PLAN_CLASSES: Record<Plan, string> = {
  free: 'plan-free',
  standard: 'plan-standard',
  pro: 'plan-pro',
  unlimited: 'plan-unlimited',
}

/** « encore 30 jours », rounded up; undefined for a plan without an end, or an expired one. */
export function formatDaysLeft(expires: string | null): string | undefined {
  if (!expires) return undefined
  const days = Math.ceil((Date.parse(expires) - serverNow()) / A_DAY_MS)
  return days > 0 ? `encore ${counted(days, 'jour', 'jours')}` : undefined
}

/** « expire dans 3 mois (20 février 2027) », « expiré hier », « n’expire jamais ». */
export function formatExpiry(expires: string | null): string {
  if (!expires) return 'n’expire jamais'
  const nowMs = serverNow()
  const verb = Date.parse(expires) > nowMs ? 'expire' : 'expiré'
  return `${verb} ${formatRelative(expires, nowMs)} (${formatDay(expires, browserTimeZone())})`
}

/** After its end, the limits of the free plan count for what is new (behaviour.md 11.2). */
export function hasExpired({ subscription_expires }: Subscription): boolean {
  return subscription_expires !== null && Date.parse(subscription_expires) <= serverNow()
}
