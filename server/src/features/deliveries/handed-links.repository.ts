import type { Db } from '#server/platform/database/db.ts'

/** Returns false when it was given before. */
export async function insertHandedLink(
  db: Db,
  link: { deliveryId: string; keyHash: Buffer; handedAt: Date },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('handedLinks')
    .values(link)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Returns false when its seal was broken before. */
export async function setHandedSealBroken(
  db: Db,
  deliveryId: string,
  sealBrokenAt: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('handedLinks')
    .set({ sealBrokenAt })
    .where('deliveryId', '=', deliveryId)
    .where('sealBrokenAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function findHandedSealBrokenAt(
  db: Db,
  deliveryId: string,
): Promise<Date | null | undefined> {
  const found = await db
    .selectFrom('handedLinks')
    .select('sealBrokenAt')
    .where('deliveryId', '=', deliveryId)
    .executeTakeFirst()
  return found?.sealBrokenAt
}
