import type { Selectable } from 'kysely'
import type { Db } from '#server/platform/database/db.ts'
import type { NotificationPreferences } from '#server/platform/database/tables.ts'

export type PreferencesRow = Omit<Selectable<NotificationPreferences>, 'userId'>

export async function findPreferences(db: Db, userId: string): Promise<PreferencesRow | undefined> {
  return db
    .selectFrom('notificationPreferences')
    .selectAll()
    .where('userId', '=', userId)
    .executeTakeFirst()
}

/** Writes what is given; what was never chosen is yes. */
export async function savePreferences(
  db: Db,
  userId: string,
  change: Partial<PreferencesRow>,
): Promise<PreferencesRow> {
  return db
    .insertInto('notificationPreferences')
    .values({ userId, ...change })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet({ userId, ...change }))
    .returningAll()
    .executeTakeFirstOrThrow()
}
