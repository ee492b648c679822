import { randomUUID } from 'node:crypto'
import type { Plan } from '#contract/subscriptions.ts'
import { type AppContext, inTransaction } from '#server/context.ts'
import { AppError, fieldError } from '#server/errors.ts'
import { offerOf, storageOptionOf } from './offers.rules.ts'
import {
  addStorage,
  findPurchase,
  findSubscription,
  insertPurchase,
  lockAccount,
  upsertPlan,
} from './subscriptions.repository.ts'
import { canAddStorage, oneMonthAfter, planAt } from './subscriptions.rules.ts'

export interface Order {
  /** The same at every attempt: a provider charges a key once, also when our transaction was rolled back after it did. */
  key: string
  userId: string
  /** The text of a receipt. */
  label: string
  priceCents: number
}

export interface Receipt {
  provider: string
  /** The provider’s identifier of the payment. */
  reference: string
}

/** Charges an order, or throws an `AppError` with the reason. */
export interface PaymentProvider {
  charge(order: Order): Promise<Receipt>
}

/** The demo (behaviour.md 11.2): every order is accepted and nothing is charged. */
export const demoPayments: PaymentProvider = {
  charge: async ({ key }) => ({ provider: 'demo', reference: key }),
}

/** An identifier of one purchase, chosen by the client: a second call with it buys nothing more. */
type PurchaseKey = string | undefined

interface Purchase {
  item: { plan: Plan; endsAt: Date } | { storageMb: number }
  label: string
  /** In euros. */
  price: number
}

/**
 * Puts a person on a plan, a paid one for a month from now; the rest of another plan is lost. `plan_current` for the plan
 * that counts now, but not for one that has expired. Free ends a paid plan at once: added storage and letters stay.
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
      // No purchase stores the key of a free plan: the second tap finds the state that the first one left.
      if (plan === 'free' && key !== undefined) return
      throw new AppError('plan_current')
    }
    if (plan === 'free') return upsertPlan(tx.db, userId, plan, null)
    const { name, price } = offerOf(plan)
    const endsAt = oneMonthAfter(now)
    await upsertPlan(tx.db, userId, plan, endsAt)
    await buy(tx, payments, userId, key, { item: { plan, endsAt }, label: `Plan ${name}`, price })
  })
}

/** Adds storage for good, to any plan; `storage_unlimited` on one without a limit, `storage_maximum` beyond the most. */
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
    if (!canAddStorage(subscription, storageMb)) throw new AppError('storage_maximum')
    await addStorage(tx.db, userId, storageMb)
    await buy(tx, payments, userId, key, { item: { storageMb }, label, price })
  })
}

/** Nothing is paid in this version: unless everybody may choose a plan, only the operator grants one. */
function requireSimulation({ config }: AppContext): void {
  if (!config.simulatedPlans) throw new AppError('plans_granted')
}

async function wasBought(
  tx: AppContext,
  userId: string,
  key: PurchaseKey,
  item: { plan: Plan | null; storageMb: number | null },
): Promise<boolean> {
  const earlier = key && (await findPurchase(tx.db, userId, key))
  if (!earlier) return false
  const isSame = earlier.plan === item.plan && earlier.storageMb === item.storageMb
  if (!isSame) throw fieldError('idempotency_key', 'Cet identifiant désigne un autre achat')
  return true
}

/** Charges after everything else is written: a refusal of the provider rolls all of it back. */
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
