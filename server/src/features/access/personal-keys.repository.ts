import { sql } from 'kysely'
import { type Db, PREPARED_READ } from '#server/platform/database/db.ts'
import { DISCLOSED_OPENING } from './saved-letters.repository.ts'

/** Of a delivery whose key opens something. */
export interface KeyRow {
  id: string
  revelationId: string
  keyVersion: number
  isHanded: boolean
  /** By a bearer of this key; of the handed one, only as its author knows. */
  sealBrokenAt: Date | null
}

/** The keys of deliveries that open something: the mailed one, and the one that was given by hand, which goes when it is revoked. */
const LIVING_KEYS = sql`(
  select deliveries.id, revelation_id, key_version, key_hash, false as is_handed, seal_broken_at
  from deliveries where revoked_at is null
  union all
  select deliveries.id, revelation_id, key_version, handed.key_hash, true, ${DISCLOSED_OPENING}
  from handed_links as handed join deliveries on deliveries.id = handed.delivery_id
)`

export async function findDeliveryByKey(
  db: Db,
  by: { keyHash: Buffer } | { id: string; isHanded: boolean },
): Promise<KeyRow | undefined> {
  const isMeant =
    'id' in by ? sql`id = ${by.id} and is_handed = ${by.isHanded}` : sql`key_hash = ${by.keyHash}`
  const { rows } = await sql<KeyRow>`
    select id, revelation_id, key_version, is_handed, seal_broken_at
    from ${LIVING_KEYS} as living where ${isMeant} ${PREPARED_READ}`.execute(db)
  return rows[0]
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

/** The keys a delivery has now open nothing any more; the next ones are others. */
export async function replaceKey(
  db: Db,
  delivery: { id: string; revelationId: string; keyHash: Buffer },
  next: { keyVersion: number; keyHash: Buffer },
  revokedAt: Date,
): Promise<void> {
  const { id, revelationId, keyHash } = delivery
  const handed = await db
    .deleteFrom('handedLinks')
    .where('deliveryId', '=', id)
    .returning('keyHash')
    .execute()
  const ended = [keyHash, ...handed.map((link) => link.keyHash)]
  await db
    .insertInto('revokedKeys')
    .values(ended.map((hash) => ({ keyHash: hash, revelationId, revokedAt })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await db.updateTable('deliveries').set(next).where('id', '=', id).execute()
}
