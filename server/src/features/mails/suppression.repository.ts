import type { Db } from '#server/platform/database/db.ts'

/** Why an address wants no mail. */
export type SuppressionReason = 'unsubscribed' | 'reported' | 'bounced'

export async function isAddressSuppressed(db: Db, addressHash: Buffer): Promise<boolean> {
  const row = await db
    .selectFrom('suppressedAddresses')
    .select('reason')
    .where('addressHash', '=', addressHash)
    .executeTakeFirst()
  return row !== undefined
}

/** The first reason stays. */
export async function insertSuppressed(
  db: Db,
  row: { addressHash: Buffer; reason: SuppressionReason; createdAt: Date },
): Promise<void> {
  await db
    .insertInto('suppressedAddresses')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function deleteSuppressed(db: Db, addressHash: Buffer): Promise<void> {
  await db.deleteFrom('suppressedAddresses').where('addressHash', '=', addressHash).execute()
}
