import { type Feature, hasFeature, type Plan, type Subscription } from '#contract/subscriptions.ts'
import { type AppContext, inTransaction } from '#server/context.ts'
import { AppError } from '#server/errors.ts'
import { type Act, recordAct } from '#server/features/audit/audit.service.ts'
import { findAccountByEmail } from '#server/features/auth/auth.service.ts'
import { findSubscription, lockAccount, upsertPlan } from './subscriptions.repository.ts'
import {
  awaitsVerification,
  expiredPlan,
  longestMediaSeconds,
  megabytesOf,
  planAt,
  sealedRevelationLimit,
  storageLimitBytes,
} from './subscriptions.rules.ts'

export interface Limits {
  plan: Plan
  /** `Infinity` when nothing limits it. */
  storageBytes: number
  /** Whether a verified address would give more storage. */
  awaitsVerification: boolean
  /** Of one film or recording. */
  longestMediaSeconds: number
}

/** Measures the bytes of a person’s files. */
export type MeasureStorage = (ctx: AppContext, userId: string) => Promise<number>

/** The plan that counts now with its storage, and the paid one that ended. */
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

/** The limits, with the account locked until the transaction ends: no other transaction counts its use meanwhile. */
export async function lockLimits(tx: AppContext, userId: string): Promise<Limits> {
  await lockAccount(tx.db, userId)
  return getLimits(tx, userId)
}

/**
 * `plan_limit` when the count of what is sealed, which is taken under the lock of the account, has reached the plan's limit.
 * What opens at once takes no room. The message names the excess of an account whose larger plan ended.
 */
export async function requireRoomForRevelation(
  tx: AppContext,
  userId: string,
  { opensAtOnce, countSealed }: { opensAtOnce: boolean; countSealed: () => Promise<number> },
): Promise<void> {
  const { plan } = await lockLimits(tx, userId)
  if (opensAtOnce) return
  const [sealed, limit] = [await countSealed(), sealedRevelationLimit(plan)]
  if (sealed < limit) return
  if (sealed === limit) throw new AppError('plan_limit')
  throw new AppError('plan_limit', {
    message: `Votre plan gratuit permet ${limit} révélations scellées à la fois et vous en avez ${sealed}. Passez à un plan supérieur, attendez qu’elles s’ouvrent ou supprimez-en ${sealed - limit + 1}.`,
  })
}

const REFUSED_FEATURES: Record<Feature, string> = {
  themes: 'Les papiers et les encres sont réservés aux plans Standard, Pro et Illimité.',
  statistics: 'Les statistiques avancées sont réservées aux plans Pro et Illimité.',
  api: 'L’API privée est réservée aux plans Pro et Illimité.',
}

/** `feature_of_plan` unless the plan that counts now has the feature. */
export async function requireFeature(
  ctx: AppContext,
  userId: string,
  feature: Feature,
): Promise<void> {
  const plan = planAt(await findSubscription(ctx.db, userId), ctx.now())
  if (hasFeature(plan, feature)) return
  throw new AppError('feature_of_plan', { message: REFUSED_FEATURES[feature] })
}

export interface GrantedPlan {
  pseudo: string
  /** Whether a verified address would give more storage. */
  awaitsVerification: boolean
}

/**
 * Puts the account of an address on another plan for an operator; `endsAt` is null for one without an end. Undefined when
 * the address has no account.
 */
export async function grantPlan(
  ctx: AppContext,
  { email, plan, endsAt }: { email: string; plan: Plan; endsAt: Date | null },
  why: Pick<Act, 'operator' | 'reason'>,
): Promise<GrantedPlan | undefined> {
  return inTransaction(ctx, async (tx) => {
    const account = await findAccountByEmail(tx, email)
    if (!account) return undefined
    await lockAccount(tx.db, account.id)
    await upsertPlan(tx.db, account.id, plan, endsAt)
    await recordAct(tx, { ...why, action: 'grant_plan', target: 'account', targetId: account.id })
    const subscription = await findSubscription(tx.db, account.id)
    const { pseudo } = account
    return { pseudo, awaitsVerification: awaitsVerification(subscription, tx.now()) }
  })
}
