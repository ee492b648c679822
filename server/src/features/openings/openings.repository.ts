import type { Db } from '#server/platform/database/db.ts'

interface Opening {
  revelationId: string
  userId: string
  openedAt: Date
}

/** Records the opening of an account; returns its first instant, which never changes. */
export async function insertOpening(db: Db, opening: Opening): Promise<Date> {
  const { userId, revelationId } = opening
  await db
    .insertInto('openings')
    .values(opening)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { openedAt } = await db
    .selectFrom('openings')
    .select('openedAt')
    .where('userId', '=', userId)
    .where('revelationId', '=', revelationId)
    .executeTakeFirstOrThrow()
  return openedAt
}
