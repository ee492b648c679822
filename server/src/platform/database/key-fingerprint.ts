import type { Db } from './db.ts'

/** The fingerprint of the master key that sealed this database; undefined before the first start. */
export async function findKeyFingerprint(db: Db): Promise<Buffer | undefined> {
  const row = await db.selectFrom('masterKeys').select('fingerprint').executeTakeFirst()
  return row?.fingerprint
}

/** Inserts the fingerprint once; returns the stored one, which is another program's when that program was first. */
export async function insertKeyFingerprint(
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
