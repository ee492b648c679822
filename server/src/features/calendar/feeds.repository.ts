import type { Db } from '#server/platform/database/database.ts'

export interface FeedRow {
  userId: string
  id: string
  createdAt: Date
  /** When it was ended by what signed its owner out; it opens nothing since. */
  endedAt: Date | null
}

const COLUMNS = ['userId', 'id', 'createdAt', 'endedAt'] as const

/** The feed of a person, or the one that ended last as long as there is no other. */
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
    .where('endedAt', 'is', null)
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

/** Ends the feed of a person; false when it has ended already, or there is none. */
export async function setFeedEnded(db: Db, userId: string, endedAt: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('calendarFeeds')
    .set({ endedAt })
    .where('userId', '=', userId)
    .where('endedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function deleteFeed(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('calendarFeeds').where('userId', '=', userId).execute()
}
