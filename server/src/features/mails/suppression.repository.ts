import type { Db } from '#server/platform/database/database.ts'

export async function isAddressSuppressed(db: Db, addressHash: Buffer): Promise<boolean> {
  const row = await db
    .selectFrom('suppressedAddresses')
    .select('reason')
    .where('addressHash', '=', addressHash)
    .executeTakeFirst()
  return row !== undefined
}
