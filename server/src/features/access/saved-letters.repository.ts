import { type RawBuilder, sql } from 'kysely'
import { type Db, PREPARED } from '#server/platform/database/db.ts'

/** A letter that an account joined by its personal link, and of which delivery that is. */
export interface SavedLetter {
  userId: string
  revelationId: string
  deliveryId: string
  savedAt: Date
}

/**
 * Of a handed link and its delivery: when a bearer of the link broke its seal, if they told the author, who has that link
 * too. What was kept quiet is nobody’s to read.
 */
export const DISCLOSED_OPENING = sql<Date | null>`(
  case when handed.seal_broken_at = deliveries.opened_at then handed.seal_broken_at end
)`

/**
 * The rows of a query: what accounts joined, as long as the very key it was joined by is not revoked. Whatever asks for
 * saved letters asks here.
 */
export const LIVING_SAVES: RawBuilder<object> = sql`(
  select saved.user_id, saved.revelation_id, saved.delivery_id, saved.saved_at, saved.is_handed,
    case when saved.is_handed then ${DISCLOSED_OPENING} else deliveries.seal_broken_at end as seal_broken_at
  from saved_letters as saved join deliveries on deliveries.id = saved.delivery_id
  left join handed_links as handed on handed.delivery_id = saved.delivery_id and saved.is_handed
  where deliveries.key_version = saved.key_version
    and case when saved.is_handed then handed.delivery_id is not null else deliveries.revoked_at is null end
)`

export async function hasHandedSave(
  db: Db,
  userId: string,
  revelationId: string,
): Promise<boolean> {
  const { rows } = await sql`
    select from ${LIVING_SAVES} as living
    where user_id = ${userId} and revelation_id = ${revelationId} and is_handed`.execute(db)
  return rows.length > 0
}

/** Of these accounts, what they joined of these letters. */
export async function listSavedAmong(
  db: Db,
  userIds: readonly string[],
  revelationIds: readonly string[],
): Promise<SavedLetter[]> {
  const { rows } = await sql<SavedLetter>`
    select user_id, revelation_id, delivery_id, saved_at from ${LIVING_SAVES} as living
    where user_id = any(${userIds}::uuid[]) and revelation_id = any(${revelationIds}::uuid[])
    ${PREPARED}`.execute(db)
  return rows
}

/** A page of what one account joined, in the order of the letters. */
export async function listSavedBy(
  db: Db,
  userId: string,
  after: SavedLetter | undefined,
  limit: number,
): Promise<SavedLetter[]> {
  const { rows } = await sql<SavedLetter>`
    select user_id, revelation_id, delivery_id, saved_at from ${LIVING_SAVES} as living
    where user_id = ${userId}
      and (${after?.revelationId ?? null}::uuid is null or revelation_id > ${after?.revelationId ?? null})
    order by revelation_id limit ${limit}`.execute(db)
  return rows
}

/** Joins a letter to an account; joined by the same key before, it stays as it was. */
export async function upsertSavedLetter(
  db: Db,
  saved: {
    userId: string
    revelationId: string
    deliveryId: string
    keyVersion: number
    isHanded: boolean
    savedAt: Date
  },
): Promise<void> {
  await db
    .insertInto('savedLetters')
    .values(saved)
    .onConflict((conflict) =>
      conflict
        .columns(['userId', 'revelationId'])
        .doUpdateSet(saved)
        .where((where) =>
          where.or([
            where('savedLetters.deliveryId', '!=', saved.deliveryId),
            where('savedLetters.keyVersion', '!=', saved.keyVersion),
            // The mailed link knows more of what its reader did than the handed one.
            where('savedLetters.isHanded', '>', saved.isHanded),
          ]),
        ),
    )
    .execute()
}

/** Whether there was one. */
export async function deleteSavedLetter(
  db: Db,
  userId: string,
  revelationId: string,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('savedLetters')
    .where('userId', '=', userId)
    .where('revelationId', '=', revelationId)
    .executeTakeFirst()
  return numDeletedRows > 0
}
