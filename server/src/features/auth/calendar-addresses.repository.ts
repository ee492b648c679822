import type { Db } from '#server/platform/database/db.ts'

export interface CalendarAddressRow {
  userId: string
  id: string
  createdAt: Date
  /** When a sign-out of its owner ended it. */
  endedAt: Date | null
}

const COLUMNS = ['userId', 'id', 'createdAt', 'endedAt'] as const

/** The address of a person’s calendar, active or ended. */
export async function findAddressOf(
  db: Db,
  userId: string,
): Promise<CalendarAddressRow | undefined> {
  return db
    .selectFrom('calendarFeeds')
    .select(COLUMNS)
    .where('userId', '=', userId)
    .executeTakeFirst()
}

export async function findAddressByToken(
  db: Db,
  tokenHash: Buffer,
): Promise<CalendarAddressRow | undefined> {
  return db
    .selectFrom('calendarFeeds')
    .select(COLUMNS)
    .where('tokenHash', '=', tokenHash)
    .where('endedAt', 'is', null)
    .executeTakeFirst()
}

/** Replaces the address of a person. */
export async function replaceAddress(
  db: Db,
  address: CalendarAddressRow & { tokenHash: Buffer },
): Promise<void> {
  await db
    .insertInto('calendarFeeds')
    .values(address)
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(address))
    .execute()
}

/** Ends the address of a person; false without an active one. */
export async function setAddressEnded(db: Db, userId: string, endedAt: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('calendarFeeds')
    .set({ endedAt })
    .where('userId', '=', userId)
    .where('endedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function deleteAddress(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('calendarFeeds').where('userId', '=', userId).execute()
}
