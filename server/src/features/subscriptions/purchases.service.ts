import { randomUUID } from 'node:crypto'
import type { Plan } from '#contract/subscriptions.ts'
import { type AppContext, inTransaction } from '#server/context.ts'
import { AppError, fieldError } from '#server/errors.ts'
import { offerOf, storageOptionOf } from './offers.rules.ts'
import type { PaymentProvider } from './payments.service.ts'
import { addStorage, findPurchase, insertPurchase, savePlan } from './purchases.repository.ts'
import { findSubscription, lockAccount } from './subscriptions.repository.ts'
import { mayAddStorage, oneMonthAfter, planAt } from './subscriptions.rules.ts'

/** A name for one purchase, chosen by who asks: asked again under it, nothing more is bought. */
type PurchaseKey = string | undefined

interface Purchase {
  item: { plan: Plan; endsAt: Date } | { storageMb: number }
  label: string
  /** In euros. */
  price: number
}

/**
 * Puts a person on a plan, for a month from now when it costs something; what remained of another plan is given up.
 * Refuses with `plan_current` the plan that counts now; one that has expired may be bought again. Free ends a paid
 * plan at once: nothing is hidden or deleted, and the storage that was added stays.
 */
export async function choosePlan(
  ctx: AppContext,
  payments: PaymentProvider,
  userId: string,
  { plan, key }: { plan: Plan; key?: PurchaseKey },
): Promise<void> {
  requireSimulation(ctx)
  await inTransaction(ctx, async (tx) => {
    await lockAccount(tx.db, userId)
    if (await wasBought(tx, userId, key, { plan, storageMb: null })) return
    const now = tx.now()
    if (planAt(await findSubscription(tx.db, userId), now) === plan) {
      // No purchase remembers the key of what costs nothing: the second tap finds what the first one left.
      if (plan === 'free' && key !== undefined) return
      throw new AppError('plan_current')
    }
    if (plan === 'free') return savePlan(tx.db, userId, plan, null)
    const { name, price } = offerOf(plan)
    const endsAt = oneMonthAfter(now)
    await savePlan(tx.db, userId, plan, endsAt)
    await buy(tx, payments, userId, key, { item: { plan, endsAt }, label: `Plan ${name}`, price })
  })
}

/**
 * Adds room for good, whatever the plan; refuses with `storage_unlimited` where nothing limits it, and beyond
 * what may be added with `storage_maximum`.
 */
export async function buyStorage(
  ctx: AppContext,
  payments: PaymentProvider,
  userId: string,
  { storageMb, key }: { storageMb: number; key?: PurchaseKey },
): Promise<void> {
  requireSimulation(ctx)
  const option = storageOptionOf(storageMb)
  if (!option) throw fieldError('storage_amount', 'Cette quantité n’est pas proposée')
  const { label, price } = option
  await inTransaction(ctx, async (tx) => {
    await lockAccount(tx.db, userId)
    if (await wasBought(tx, userId, key, { plan: null, storageMb })) return
    const subscription = await findSubscription(tx.db, userId)
    if (planAt(subscription, tx.now()) === 'unlimited') throw new AppError('storage_unlimited')
    if (!mayAddStorage(subscription, storageMb)) throw new AppError('storage_maximum')
    await addStorage(tx.db, userId, storageMb)
    await buy(tx, payments, userId, key, { item: { storageMb }, label, price })
  })
}

/** Nothing is paid in this version: where plans are not for everybody to take, only the operator gives them. */
function requireSimulation({ config }: AppContext): void {
  if (!config.simulatedPlans) throw new AppError('plans_granted')
}

async function wasBought(
  tx: AppContext,
  userId: string,
  key: PurchaseKey,
  asked: { plan: Plan | null; storageMb: number | null },
): Promise<boolean> {
  const earlier = key && (await findPurchase(tx.db, userId, key))
  if (!earlier) return false
  const isSame = earlier.plan === asked.plan && earlier.storageMb === asked.storageMb
  if (!isSame) throw fieldError('idempotency_key', 'Cet identifiant désigne un autre achat')
  return true
}

/** Charges last, once everything else is written: what a provider refuses is rolled back whole. */
async function buy(
  tx: AppContext,
  payments: PaymentProvider,
  userId: string,
  key: PurchaseKey,
  { item, label, price }: Purchase,
): Promise<void> {
  const id = randomUUID()
  const priceCents = Math.round(price * 100)
  const orderKey = key === undefined ? id : `${userId}:${key}`
  const receipt = await payments.charge({ key: orderKey, userId, label, priceCents })
  await insertPurchase(tx.db, {
    id,
    userId,
    ...item,
    ...receipt,
    priceCents,
    idempotencyKey: key ?? null,
    createdAt: tx.now(),
  })
}
