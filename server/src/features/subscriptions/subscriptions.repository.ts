import type { Plan } from '#contract/subscriptions.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Subscription } from './subscriptions.rules.ts'

export async function findSubscription(db: Db, userId: string): Promise<Subscription | undefined> {
  const row = await db
    .selectFrom('subscriptions')
    .select(['plan', 'expiresAt', 'additionalStorageMb'])
    .where('userId', '=', userId)
    .executeTakeFirst()
  return row && { ...row, plan: row.plan as Plan }
}

/** Waits until no other transaction counts what this person uses; held to the end of the transaction. */
export async function lockAccount(db: Db, userId: string): Promise<void> {
  await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst()
}
