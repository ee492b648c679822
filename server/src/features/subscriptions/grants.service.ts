import type { Plan } from '#contract/subscriptions.ts'
import { type AppContext, inTransaction } from '#server/context.ts'
import { type Act, recordAct } from '#server/features/audit/audit.service.ts'
import { findAccountByEmail } from '#server/features/auth/auth.service.ts'
import { savePlan } from './purchases.repository.ts'
import { findSubscription, lockAccount } from './subscriptions.repository.ts'
import { awaitsVerification } from './subscriptions.rules.ts'

export interface GrantedPlan {
  pseudo: string
  /** Whether the account has less room than the plan gives, until its address is verified. */
  awaitsVerification: boolean
}

/**
 * Puts the account of an address on a plan, in the place of the one it has, at the will of an operator; `endsAt` is null for
 * one without an end. Undefined when the address has no account.
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
    await savePlan(tx.db, account.id, plan, endsAt)
    await recordAct(tx, { ...why, action: 'grant_plan', target: 'account', targetId: account.id })
    const subscription = await findSubscription(tx.db, account.id)
    const { pseudo } = account
    return { pseudo, awaitsVerification: awaitsVerification(subscription, tx.now()) }
  })
}
