import type { Insertable } from 'kysely'
import type { Plan } from '#contract/subscriptions.ts'
import type { Db } from '#server/platform/database/db.ts'
import type { Purchases } from '#server/platform/database/tables.ts'

export async function insertPurchase(db: Db, purchase: Insertable<Purchases>): Promise<void> {
  await db.insertInto('purchases').values(purchase).execute()
}

/** What this person bought under that key. */
export async function findPurchase(db: Db, userId: string, idempotencyKey: string) {
  return db
    .selectFrom('purchases')
    .select(['plan', 'storageMb'])
    .where('userId', '=', userId)
    .where('idempotencyKey', '=', idempotencyKey)
    .executeTakeFirst()
}

/** The storage that was added stays as it is. */
export async function savePlan(
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

/** The plan and its end stay as they are. */
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
