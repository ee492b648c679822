import type { Db } from './database.ts'

/** The fingerprint of the master key this database was sealed with; undefined before its first start. */
export async function findKeyFingerprint(db: Db): Promise<Buffer | undefined> {
  const row = await db.selectFrom('masterKeys').select('fingerprint').executeTakeFirst()
  return row?.fingerprint
}

/** Writes the fingerprint once; answers the one that counts, another program's when it came first. */
export async function keepKeyFingerprint(
  db: Db,
  fingerprint: Buffer,
  createdAt: Date,
): Promise<Buffer> {
  await db
    .insertInto('masterKeys')
    .values({ fingerprint, createdAt })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return (await findKeyFingerprint(db)) ?? fingerprint
}
