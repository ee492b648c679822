import type { Insertable } from 'kysely'
import type { Plan } from '#contract/subscriptions.ts'
import type { Db } from '#server/platform/database/db.ts'
import type { Purchases } from '#server/platform/database/tables.ts'
import type { Subscription } from './subscriptions.rules.ts'

/** The subscription of an account, that of the free plan by default; undefined without such an account. */
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

/** Locks what this person uses against counts of other transactions, to the end of this one. */
export async function lockAccount(db: Db, userId: string): Promise<void> {
  await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** Changes the plan and its end, not the added storage. */
export async function upsertPlan(
  db: Db,
  userId: string,
  plan: Plan,
  expiresAt: Date | null,
): Promise<void> {
  await db
    .insertInto('subscriptions')
    .values({ userId, plan, expiresAt })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet({ plan, expiresAt }))
    .execute()
}

/** Adds storage without changing the plan or its end. */
export async function addStorage(db: Db, userId: string, storageMb: number): Promise<void> {
  await db
    .insertInto('subscriptions')
    .values({ userId, plan: 'free', additionalStorageMb: storageMb })
    .onConflict((conflict) =>
      conflict.column('userId').doUpdateSet(({ eb }) => ({
        additionalStorageMb: eb('subscriptions.additionalStorageMb', '+', storageMb),
      })),
    )
    .execute()
}

export async function insertPurchase(db: Db, purchase: Insertable<Purchases>): Promise<void> {
  await db.insertInto('purchases').values(purchase).execute()
}

/** The purchase of this person under that key. */
export async function findPurchase(db: Db, userId: string, idempotencyKey: string) {
  return db
    .selectFrom('purchases')
    .select(['plan', 'storageMb'])
    .where('userId', '=', userId)
    .where('idempotencyKey', '=', idempotencyKey)
    .executeTakeFirst()
}
