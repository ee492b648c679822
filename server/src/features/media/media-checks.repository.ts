import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import type { MediaRow, ObjectRow } from './media.repository.ts'

export interface StoredFile {
  media: MediaRow
  objects: ObjectRow[]
}

/** Files that have come, a page at a time in the order of their ids, with all that is stored of each. */
export async function listStored(
  db: Db,
  after: string | undefined,
  limit: number,
): Promise<StoredFile[]> {
  const files = (await db
    .selectFrom('media')
    .selectAll()
    .where('state', '!=', 'receiving')
    .$if(after !== undefined, (query) => query.where('id', '>', after as string))
    .orderBy('id')
    .limit(limit)
    .execute()) as MediaRow[]
  const ids = files.map(({ id }) => id)
  const objects = (await db
    .selectFrom('mediaObjects')
    .selectAll()
    .where('mediaId', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('variant')
    .execute()) as ObjectRow[]
  return files.map((media) => ({
    media,
    objects: objects.filter(({ mediaId }) => mediaId === media.id),
  }))
}
