import type { Db } from '#server/platform/database/db.ts'
import type { AddresseeUse } from './addressees.rules.ts'

/** Whoever writes, locked until the transaction ends: nobody counts in their name meanwhile. */
export async function lockWriter(
  db: Db,
  userId: string,
): Promise<{ emailKey: string; emailVerifiedAt: Date | null } | undefined> {
  return db
    .selectFrom('users')
    .select(['emailKey', 'emailVerifiedAt'])
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export async function listUsesSince(db: Db, userId: string, since: Date): Promise<AddresseeUse[]> {
  return db
    .selectFrom('addresseeUses')
    .select(['addressHash', 'usedAt'])
    .where('userId', '=', userId)
    .where('usedAt', '>', since)
    .execute()
}

/** An address that is written to again counts from now on. */
export async function saveUses(
  db: Db,
  userId: string,
  uses: readonly AddresseeUse[],
): Promise<void> {
  await db
    .insertInto('addresseeUses')
    .values(uses.map((use) => ({ ...use, userId })))
    .onConflict((conflict) =>
      conflict
        .columns(['userId', 'addressHash'])
        .doUpdateSet((set) => ({ usedAt: set.ref('excluded.usedAt') })),
    )
    .execute()
}

export async function deleteUsesBefore(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('addresseeUses').where('usedAt', '<=', before).execute()
}
