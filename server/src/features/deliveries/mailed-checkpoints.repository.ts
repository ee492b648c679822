import { sql } from 'kysely'
import { createStatement, type Db, PREPARED } from '#server/platform/database/db.ts'

/** Nothing when the letter is gone, or the delivery has another address since. */
export const insertMailedToAddressee = createStatement(
  (_db, mailed: { deliveryId: string; addressKey: string; size: number }) => sql`
    insert into mailed_checkpoints (revelation_id, delivery_id, size)
    select revelation_id, id, ${mailed.size}::bigint from deliveries
    where id = ${mailed.deliveryId} and address_key = ${mailed.addressKey}
    on conflict do nothing ${PREPARED}`,
)

/** Nothing when the letter is gone. */
export async function insertMailedToAuthor(
  db: Db,
  { revelationId, size }: { revelationId: string; size: number },
): Promise<void> {
  await sql`
    insert into mailed_checkpoints (revelation_id, size)
    select id, ${size}::bigint from revelations where id = ${revelationId}
    on conflict do nothing`.execute(db)
}

/** What was mailed to the former addresses of a delivery is nobody’s to read. */
export async function deleteMailed(db: Db, deliveryId: string): Promise<void> {
  await db.deleteFrom('mailedCheckpoints').where('deliveryId', '=', deliveryId).execute()
}

/** The sizes that were mailed with a letter to these addressees and perhaps to its author, the largest first. */
export async function listMailed(
  db: Db,
  to: { revelationId: string; isToAuthor: boolean; deliveryIds: readonly string[] },
  limit: number,
): Promise<number[]> {
  const rows = await db
    .selectFrom('mailedCheckpoints')
    .select('size')
    .distinct()
    .where('revelationId', '=', to.revelationId)
    .where((where) =>
      where.or([
        where('deliveryId', '=', sql<string>`any(${to.deliveryIds}::uuid[])`),
        where.and([where('deliveryId', 'is', null), where.val(to.isToAuthor)]),
      ]),
    )
    .orderBy('size', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ size }) => size)
}
