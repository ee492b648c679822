import type { Selectable } from 'kysely'
import type { Db } from '#server/platform/database/db.ts'
import type { Users } from '#server/platform/database/tables.ts'

export interface ProfileChange {
  pseudo?: string
  pseudoKey?: string
  pseudoSkeleton?: string
  bio?: string
  location?: string
  website?: string
  avatarUrl?: string | null
}

/** Writes what changed. */
export async function updateProfile(
  db: Db,
  userId: string,
  change: ProfileChange,
): Promise<Selectable<Users>> {
  return db
    .updateTable('users')
    .set({ ...change, id: userId })
    .where('id', '=', userId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function setOnboarded(db: Db, userId: string, onboardedAt: Date): Promise<void> {
  await db
    .updateTable('users')
    .set({ onboardedAt })
    .where('id', '=', userId)
    .where('onboardedAt', 'is', null)
    .execute()
}
