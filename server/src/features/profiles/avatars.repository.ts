import type { Selectable } from 'kysely'
import type { Db } from '#server/platform/database/db.ts'
import type { Avatars } from '#server/platform/database/tables.ts'

export type AvatarRow = Selectable<Avatars>

export async function findAvatar(db: Db, userId: string): Promise<AvatarRow | undefined> {
  return db.selectFrom('avatars').selectAll().where('userId', '=', userId).executeTakeFirst()
}

/** Every picture, a page at a time. */
export async function listAvatars(
  db: Db,
  after: string | undefined,
  limit: number,
): Promise<AvatarRow[]> {
  return db
    .selectFrom('avatars')
    .selectAll()
    .$if(after !== undefined, (query) => query.where('userId', '>', after as string))
    .orderBy('userId')
    .limit(limit)
    .execute()
}

/** The picture of a person whose profile is not hidden. */
export async function findShownAvatar(db: Db, userId: string): Promise<AvatarRow | undefined> {
  return db
    .selectFrom('avatars')
    .innerJoin('users', 'users.id', 'avatars.userId')
    .selectAll('avatars')
    .where('avatars.userId', '=', userId)
    .where('users.hiddenAt', 'is', null)
    .executeTakeFirst()
}

export async function insertAvatar(db: Db, avatar: AvatarRow): Promise<void> {
  await db.insertInto('avatars').values(avatar).execute()
}

export async function deleteAvatar(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('avatars').where('userId', '=', userId).execute()
}

export async function listKnownAvatars(
  db: Db,
  storageKeys: readonly string[],
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('avatars')
    .select('storageKey')
    .where('storageKey', 'in', storageKeys)
    .execute()
  return new Set(rows.map((row) => row.storageKey))
}
