import type { Db } from '#server/platform/database/database.ts'

export interface FeedRow {
  userId: string
  id: string
  createdAt: Date
}

const COLUMNS = ['userId', 'id', 'createdAt'] as const

export async function findFeedOf(db: Db, userId: string): Promise<FeedRow | undefined> {
  return db
    .selectFrom('calendarFeeds')
    .select(COLUMNS)
    .where('userId', '=', userId)
    .executeTakeFirst()
}

export async function findFeedByToken(db: Db, tokenHash: Buffer): Promise<FeedRow | undefined> {
  return db
    .selectFrom('calendarFeeds')
    .select(COLUMNS)
    .where('tokenHash', '=', tokenHash)
    .executeTakeFirst()
}

/** Puts a feed in the place of a person’s former one. */
export async function replaceFeed(db: Db, feed: FeedRow & { tokenHash: Buffer }): Promise<void> {
  await db
    .insertInto('calendarFeeds')
    .values(feed)
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(feed))
    .execute()
}

export async function deleteFeed(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('calendarFeeds').where('userId', '=', userId).execute()
}
