import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import type { Rank } from './deliveries.rules.ts'

/** Of a delivery whose key opens something. */
export interface KeyRow {
  id: string
  rank: Rank
  revelationId: string
  keyVersion: number
}

export async function findDeliveryByKey(
  db: Db,
  by: { keyHash: Buffer } | { id: string },
): Promise<KeyRow | undefined> {
  return db
    .selectFrom('deliveries')
    .select(['id', 'rank', 'revelationId', 'keyVersion'])
    .where((where) => ('id' in by ? where('id', '=', by.id) : where('keyHash', '=', by.keyHash)))
    .where('revokedAt', 'is', null)
    .$castTo<KeyRow>()
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

/** Says so, and forgets a mail that is about to carry it. */
export async function setRevoked(db: Db, id: string, revokedAt: Date): Promise<void> {
  await sql`
    update deliveries set
      revoked_at = ${revokedAt},
      error = null,
      state = case state when 'queued' then 'sent' else state end,
      mail_id = (select id from mails where id = deliveries.mail_id and state <> 'queued')
    where id = ${id}
  `.execute(db)
}
