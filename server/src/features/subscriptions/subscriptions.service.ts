import type { Plan } from '#contract/subscriptions.ts'
import type { AppContext } from '#server/context.ts'
import { AppError } from '#server/errors.ts'
import { findSubscription, lockAccount } from './subscriptions.repository.ts'
import { liveRevelationLimit, planAt, storageLimitBytes } from './subscriptions.rules.ts'

export interface Limits {
  plan: Plan
  /** `Infinity` when nothing limits it. */
  storageBytes: number
}

export async function getLimits(ctx: AppContext, userId: string): Promise<Limits> {
  const subscription = await findSubscription(ctx.db, userId)
  const now = ctx.now()
  return {
    plan: planAt(subscription, now),
    storageBytes: storageLimitBytes(subscription, now),
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

/** Refuses with `plan_limit` when `countLive`, asked once the account is locked, has reached the plan's limit. */
export async function requireRoomForRevelation(
  tx: AppContext,
  userId: string,
  countLive: () => Promise<number>,
): Promise<void> {
  const { plan } = await lockLimits(tx, userId)
  if ((await countLive()) >= liveRevelationLimit(plan)) throw new AppError('plan_limit')
}
