import type { Selectable } from 'kysely'
import { PREFERENCES } from '#contract/subscriptions.ts'
import { createStatement, type Db, PREPARED } from '#server/platform/database/db.ts'
import type { NotificationPreferences } from '#server/platform/database/tables.ts'

export type PreferencesRow = Omit<Selectable<NotificationPreferences>, 'userId'>

export async function findPreferences(db: Db, userId: string): Promise<PreferencesRow | undefined> {
  const [row] = await selectPreferences(db, { userId })
  return row
}

const selectPreferences = createStatement((db, { userId }: { userId: string }) =>
  db
    .selectFrom('notificationPreferences')
    .select(PREFERENCES)
    .where('userId', '=', userId)
    .modifyEnd(PREPARED),
)

/** Stores the given preferences; one that was never chosen is as it is at first. */
export async function upsertPreferences(
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

/** Whether an account proved its address, and wants to be answered there; neither once it is gone. */
export async function findSenderFacts(
  db: Db,
  userId: string,
): Promise<{ isVerified: boolean; wantsReplies: boolean }> {
  const [row] = await selectSender(db, { userId })
  return { isVerified: Boolean(row?.emailVerifiedAt), wantsReplies: Boolean(row?.repliesByEmail) }
}

const selectSender = createStatement((db, { userId }: { userId: string }) =>
  db
    .selectFrom('users')
    .leftJoin('notificationPreferences', 'notificationPreferences.userId', 'users.id')
    .select(['users.emailVerifiedAt', 'notificationPreferences.repliesByEmail'])
    .where('users.id', '=', userId)
    .modifyEnd(PREPARED),
)

/** Why an address accepts no mail. */
export type SuppressionReason = 'unsubscribed' | 'reported' | 'bounced'

export async function hasSuppression(db: Db, addressHash: Buffer): Promise<boolean> {
  const row = await db
    .selectFrom('suppressedAddresses')
    .select('reason')
    .where('addressHash', '=', addressHash)
    .executeTakeFirst()
  return row !== undefined
}

/** The first reason of an address stays. */
export async function insertSuppression(
  db: Db,
  row: { addressHash: Buffer; reason: SuppressionReason; createdAt: Date },
): Promise<void> {
  await db
    .insertInto('suppressedAddresses')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function deleteSuppression(db: Db, addressHash: Buffer): Promise<void> {
  await db.deleteFrom('suppressedAddresses').where('addressHash', '=', addressHash).execute()
}
