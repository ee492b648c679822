import type { Db } from '#server/platform/database/db.ts'
import type { PersonRow } from './relationships.repository.ts'

export async function insertBlock(
  db: Db,
  block: { blockerId: string; blockedId: string; createdAt: Date },
): Promise<void> {
  await db.insertInto('blocks').values(block).execute()
}

export async function isBlockedBy(db: Db, blockerId: string, blockedId: string): Promise<boolean> {
  const row = await db
    .selectFrom('blocks')
    .select('blockedId')
    .where('blockerId', '=', blockerId)
    .where('blockedId', '=', blockedId)
    .executeTakeFirst()
  return row !== undefined
}

/** Whom this person blocked, the latest first. */
export async function listBlockedBy(
  db: Db,
  blockerId: string,
): Promise<(Omit<PersonRow, 'email'> & { createdAt: Date })[]> {
  return db
    .selectFrom('blocks')
    .innerJoin('users', 'users.id', 'blocks.blockedId')
    .select(['users.id', 'users.pseudo', 'users.avatarUrl', 'blocks.createdAt'])
    .where('blocks.blockerId', '=', blockerId)
    .orderBy('blocks.createdAt', 'desc')
    .orderBy('users.id')
    .execute()
}

/** False when there was no such block. */
export async function deleteBlock(db: Db, blockerId: string, blockedId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('blocks')
    .where('blockerId', '=', blockerId)
    .where('blockedId', '=', blockedId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
