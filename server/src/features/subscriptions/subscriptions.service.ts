import type { Plan, Subscription } from '#contract/subscriptions.ts'
import type { AppContext } from '#server/context.ts'
import { AppError } from '#server/errors.ts'
import { findSubscription, lockAccount } from './subscriptions.repository.ts'
import {
  awaitsVerification,
  expiredPlan,
  liveRevelationLimit,
  longestMediaSeconds,
  megabytesOf,
  planAt,
  storageLimitBytes,
} from './subscriptions.rules.ts'

export interface Limits {
  plan: Plan
  /** `Infinity` when nothing limits it. */
  storageBytes: number
  /** Whether they give less room than the plan, until the address is verified. */
  awaitsVerification: boolean
  /** Of one film or recording. */
  longestMediaSeconds: number
}

/** How many bytes a person’s files take. */
export type MeasureStorage = (ctx: AppContext, userId: string) => Promise<number>

/** The plan that counts now with the room it gives, and the paid one that ended. */
export async function getSubscription(
  ctx: AppContext,
  userId: string,
  storageUsedBy: MeasureStorage,
): Promise<Subscription> {
  const subscription = await findSubscription(ctx.db, userId)
  const now = ctx.now()
  const additionalStorageMb = subscription?.additionalStorageMb ?? 0
  return {
    subscription_type: planAt(subscription, now),
    expired_plan: expiredPlan(subscription, now),
    subscription_expires: subscription?.expiresAt?.toISOString() ?? null,
    additional_storage: additionalStorageMb,
    extra_storage: additionalStorageMb,
    total_storage: megabytesOf(storageLimitBytes(subscription, now)),
    used_storage: megabytesOf(await storageUsedBy(ctx, userId)),
    awaits_verification: awaitsVerification(subscription, now),
  }
}

export async function getLimits(ctx: AppContext, userId: string): Promise<Limits> {
  const subscription = await findSubscription(ctx.db, userId)
  const now = ctx.now()
  const plan = planAt(subscription, now)
  return {
    plan,
    longestMediaSeconds: longestMediaSeconds(plan),
    storageBytes: storageLimitBytes(subscription, now),
    awaitsVerification: awaitsVerification(subscription, now),
  }
}

/**
 * The limits, with the account locked until the transaction ends: what is counted after this call
 * cannot be counted by another transaction before this one commits.
 */
export async function lockLimits(tx: AppContext, userId: string): Promise<Limits> {
  await lockAccount(tx.db, userId)
  return getLimits(tx, userId)
}

/**
 * Refuses with `plan_limit` when `countLive`, asked once the account is locked, has reached the plan's limit; who is
 * above it, since a larger plan ended, is told how far.
 */
export async function requireRoomForRevelation(
  tx: AppContext,
  userId: string,
  countLive: () => Promise<number>,
): Promise<void> {
  const { plan } = await lockLimits(tx, userId)
  const [live, limit] = [await countLive(), liveRevelationLimit(plan)]
  if (live < limit) return
  if (live === limit) throw new AppError('plan_limit')
  throw new AppError('plan_limit', {
    message: `Votre plan gratuit permet ${limit} révélations à la fois et vous en avez ${live}. Passez à un plan supérieur, ou supprimez-en ${live - limit + 1}.`,
  })
}
