import type { Selectable } from 'kysely'
import type { Db } from '#server/platform/database/db.ts'
import type { Revelations } from '#server/platform/database/tables.ts'

export type CommittedRow = Pick<
  Selectable<Revelations>,
  | 'id'
  | 'authorId'
  | 'title'
  | 'revealAt'
  | 'mediaId'
  | 'commitment'
  | 'wrappedKey'
  | 'sealedContent'
  | 'sealedOpening'
>

function selectCommitted(db: Db) {
  return db
    .selectFrom('revelations')
    .select(['id', 'authorId', 'title', 'revealAt', 'mediaId', 'commitment'])
    .select(['wrappedKey', 'sealedContent', 'sealedOpening'])
}

/** Letters with all parts of their commitment, a page at a time in the order of their ids. */
export async function listCommitted(
  db: Db,
  after: string | undefined,
  limit: number,
): Promise<CommittedRow[]> {
  return selectCommitted(db)
    .$if(after !== undefined, (query) => query.where('id', '>', after as string))
    .orderBy('id')
    .limit(limit)
    .execute()
}

export async function findCommitted(db: Db, id: string): Promise<CommittedRow | undefined> {
  return selectCommitted(db).where('id', '=', id).executeTakeFirst()
}
