import { type Selectable, sql } from 'kysely'
import type { Db } from '#server/platform/database/db.ts'
import type { IdempotencyKeys } from '#server/platform/database/tables.ts'
import type { Owner } from './idempotency.rules.ts'

export type KeyRow = Selectable<IdempotencyKeys>

/** Locks what these bytes name until the transaction ends; false, at once, while another transaction holds it. */
export async function tryLock(db: Db, name: Buffer): Promise<boolean> {
  const number = name.readBigInt64BE()
  const { rows } = await sql<{ isLocked: boolean }>`
    select pg_try_advisory_xact_lock(${number}) as is_locked
  `.execute(db)
  return rows[0]?.isLocked ?? false
}

function columnsOf(owner: Owner): Pick<KeyRow, 'userId' | 'deliveryId'> {
  return { userId: null, deliveryId: null, ...owner }
}

export async function findKey(
  db: Db,
  owner: Owner,
  keyHash: Buffer,
): Promise<Pick<KeyRow, 'inputHash' | 'resourceId' | 'createdAt'> | undefined> {
  const { userId, deliveryId } = columnsOf(owner)
  return db
    .selectFrom('idempotencyKeys')
    .select(['inputHash', 'resourceId', 'createdAt'])
    .where('userId', 'is not distinct from', userId)
    .where('deliveryId', 'is not distinct from', deliveryId)
    .where('keyHash', '=', keyHash)
    .executeTakeFirst()
}

/** Stores what a key stands for from now on, in the place of what it stood for long ago. */
export async function upsertKey(
  db: Db,
  owner: Owner,
  row: Pick<KeyRow, 'keyHash' | 'inputHash' | 'resourceId' | 'createdAt'>,
): Promise<void> {
  const { inputHash, resourceId, createdAt } = row
  await db
    .insertInto('idempotencyKeys')
    .values({ ...row, ...columnsOf(owner) })
    .onConflict((conflict) =>
      conflict
        .columns(['userId', 'deliveryId', 'keyHash'])
        .doUpdateSet({ inputHash, resourceId, createdAt }),
    )
    .execute()
}

/** Deletes up to `limit` keys of this instant or before; answers how many. */
export async function deleteKeysBefore(db: Db, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from idempotency_keys where ctid = any(array(
      select ctid from idempotency_keys where created_at <= ${before} limit ${limit} for update skip locked
    ))
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}
