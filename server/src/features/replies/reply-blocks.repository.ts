import { sql } from 'kysely'
import type { Db } from '#server/platform/database/db.ts'

/** From whom an author takes no more replies: an address, and the account that wrote from it. */
export interface ReplyBlock {
  id: string
  address: string
  addressKey: string
  writerId: string | null
  createdAt: Date
}

/** The oldest first. */
export async function listReplyBlocks(db: Db, authorId: string): Promise<ReplyBlock[]> {
  return db
    .selectFrom('replyBlocks')
    .select(['id', 'address', 'addressKey', 'writerId', 'createdAt'])
    .where('authorId', '=', authorId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
}

/** Once for each address; the account that wrote from it last is remembered. */
export async function insertReplyBlock(
  db: Db,
  block: Omit<ReplyBlock, 'id'> & { authorId: string },
): Promise<void> {
  await db
    .insertInto('replyBlocks')
    .values(block)
    .onConflict((conflict) =>
      conflict
        .columns(['authorId', 'addressKey'])
        .doUpdateSet({ writerId: sql`coalesce(excluded.writer_id, reply_blocks.writer_id)` }),
    )
    .execute()
}

/** False when there is none, or it is somebody else’s. */
export async function deleteReplyBlock(db: Db, authorId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('replyBlocks')
    .where('authorId', '=', authorId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** The accounts whose verified addresses these are. */
export async function listAccountsAt(
  db: Db,
  addressKeys: readonly string[],
): Promise<{ id: string; emailKey: string }[]> {
  if (addressKeys.length === 0) return []
  return db
    .selectFrom('users')
    .select(['id', 'emailKey'])
    .where('emailKey', 'in', addressKeys)
    .where('emailVerifiedAt', 'is not', null)
    .execute()
}
