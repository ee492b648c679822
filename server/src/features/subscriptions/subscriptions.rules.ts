import {
  FREE_SEALED_REVELATIONS,
  type Plan,
  UNVERIFIED_STORAGE_MB,
} from '#contract/subscriptions.ts'

/** The plan of an account; one that never subscribed is on the free plan. */
export interface Subscription {
  plan: Plan
  expiresAt: Date | null
  additionalStorageMb: number
  /** Whether the address of the account is verified. */
  isVerified: boolean
}

const MB = 1024 * 1024
const MAX_ADDITIONAL_MB = 1024 * 1024
const STORAGE_MB: Record<Plan, number> = {
  free: 500,
  standard: 5120,
  pro: 51_200,
  unlimited: Number.POSITIVE_INFINITY,
}

/** The plan that counts now: the free one without a subscription and after its end. */
export function planAt(subscription: Subscription | undefined, now: Date): Plan {
  if (!subscription) return 'free'
  const isExpired = subscription.expiresAt !== null && subscription.expiresAt <= now
  return isExpired ? 'free' : subscription.plan
}

/** The paid plan that has ended, null while it counts. */
export function expiredPlan(subscription: Subscription | undefined, now: Date): Plan | null {
  if (!subscription || subscription.plan === 'free') return null
  return planAt(subscription, now) === 'free' ? subscription.plan : null
}

/** The same day and hour of the next month, or its last day where it has no such day. */
export function oneMonthAfter(instant: Date): Date {
  const after = new Date(instant)
  after.setUTCMonth(after.getUTCMonth() + 1)
  if (after.getUTCDate() !== instant.getUTCDate()) after.setUTCDate(0)
  return after
}

/**
 * Storage for originals, `Infinity` without a limit. Added storage outlives the plan. Unverified addresses cost nothing, so
 * no plan gives one more than `UNVERIFIED_STORAGE_MB`.
 */
export function storageLimitBytes(subscription: Subscription | undefined, now: Date): number {
  const planBytes = planLimitBytes(subscription, now)
  return subscription?.isVerified ? planBytes : Math.min(planBytes, UNVERIFIED_STORAGE_MB * MB)
}

/** Whether a verified address would give more storage. */
export function awaitsVerification(subscription: Subscription | undefined, now: Date): boolean {
  return storageLimitBytes(subscription, now) < planLimitBytes(subscription, now)
}

function planLimitBytes(subscription: Subscription | undefined, now: Date): number {
  const additionalMb = subscription?.additionalStorageMb ?? 0
  return (STORAGE_MB[planAt(subscription, now)] + additionalMb) * MB
}

/** At most 1 TB in all: a loop in a client would otherwise promise more than any installation has. */
export function canAddStorage(subscription: Subscription | undefined, storageMb: number): boolean {
  return (subscription?.additionalStorageMb ?? 0) + storageMb <= MAX_ADDITIONAL_MB
}

const HOUR_SECONDS = 3_600
const LONGEST_MEDIA_HOURS: Record<Plan, number> = { free: 2, standard: 4, pro: 8, unlimited: 12 }

/** The longest film or recording: hours of silence weigh nothing, but cost hours of work. */
export function longestMediaSeconds(plan: Plan): number {
  return LONGEST_MEDIA_HOURS[plan] * HOUR_SECONDS
}

/** How many revelations may be sealed at once, `Infinity` without a limit. */
export function sealedRevelationLimit(plan: Plan): number {
  return plan === 'free' ? FREE_SEALED_REVELATIONS : Number.POSITIVE_INFINITY
}

/** Bytes as MB with two decimals, 0 for no byte alone; -1 for `Infinity`. */
export function megabytesOf(bytes: number): number {
  if (bytes === Number.POSITIVE_INFINITY) return -1
  return Math.ceil((bytes / MB) * 100) / 100
}
