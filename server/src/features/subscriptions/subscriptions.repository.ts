import type { Plan } from '#contract/subscriptions.ts'
import type { Db } from '#server/platform/database/db.ts'
import type { Subscription } from './subscriptions.rules.ts'

/** Undefined when there is no such account. */
export async function findSubscription(db: Db, userId: string): Promise<Subscription | undefined> {
  const row = await db
    .selectFrom('users')
    .leftJoin('subscriptions', 'subscriptions.userId', 'users.id')
    .select(['plan', 'expiresAt', 'additionalStorageMb', 'emailVerifiedAt'])
    .where('users.id', '=', userId)
    .executeTakeFirst()
  return (
    row && {
      plan: (row.plan ?? 'free') as Plan,
      expiresAt: row.expiresAt,
      additionalStorageMb: row.additionalStorageMb ?? 0,
      isVerified: row.emailVerifiedAt !== null,
    }
  )
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
