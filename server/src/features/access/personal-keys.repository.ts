import type { Db } from '#server/platform/database/db.ts'

/** Of a delivery whose key opens something. */
export interface KeyRow {
  id: string
  revelationId: string
  keyVersion: number
  sealBrokenAt: Date | null
}

export async function findDeliveryByKey(
  db: Db,
  by: { keyHash: Buffer } | { id: string },
): Promise<KeyRow | undefined> {
  return db
    .selectFrom('deliveries')
    .select(['id', 'revelationId', 'keyVersion', 'sealBrokenAt'])
    .where((where) => ('id' in by ? where('id', '=', by.id) : where('keyHash', '=', by.keyHash)))
    .where('revokedAt', 'is', null)
    .executeTakeFirst()
}

export async function isKeyRevokedFor(
  db: Db,
  keyHash: Buffer,
  revelationId: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('revokedKeys')
    .select('revokedAt')
    .where('keyHash', '=', keyHash)
    .where('revelationId', '=', revelationId)
    .executeTakeFirst()
  return row !== undefined
}

/** The key a delivery has now opens nothing any more; the next one is another. */
export async function replaceKey(
  db: Db,
  delivery: { id: string; revelationId: string; keyHash: Buffer },
  next: { keyVersion: number; keyHash: Buffer },
  revokedAt: Date,
): Promise<void> {
  const { id, revelationId, keyHash } = delivery
  await db
    .insertInto('revokedKeys')
    .values({ keyHash, revelationId, revokedAt })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await db.updateTable('deliveries').set(next).where('id', '=', id).execute()
}
