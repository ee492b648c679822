import type { Db } from '#server/platform/database/database.ts'
import type { SealedDescription } from './sounds.repository.ts'

/** What sounds say of themselves, sealed, a page at a time in the order of their ids. */
export async function listSealedDescriptions(
  db: Db,
  after: string | undefined,
  limit: number,
): Promise<SealedDescription[]> {
  return db
    .selectFrom('sounds')
    .select(['id', 'wrappedKey', 'sealedDescription'])
    .$if(after !== undefined, (query) => query.where('id', '>', after as string))
    .orderBy('id')
    .limit(limit)
    .execute()
}
