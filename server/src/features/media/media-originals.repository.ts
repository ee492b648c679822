import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import type { MediaRow, ObjectRow } from './media.repository.ts'

/** Files with the object that holds what was sent; those whose transfer is not over are left out. */
export async function listOriginals(
  db: Db,
  ids: readonly string[],
): Promise<{ media: MediaRow; object: ObjectRow }[]> {
  if (ids.length === 0) return []
  const of = sql<string>`any(${ids}::uuid[])`
  const [files, objects] = await Promise.all([
    db
      .selectFrom('media')
      .selectAll()
      .where('id', '=', of)
      .where('state', '!=', 'receiving')
      .execute() as Promise<MediaRow[]>,
    db
      .selectFrom('mediaObjects')
      .selectAll()
      .where('mediaId', '=', of)
      .where('variant', '=', 'original')
      .execute() as Promise<ObjectRow[]>,
  ])
  const objectOf = new Map(objects.map((object) => [object.mediaId, object]))
  return files.flatMap((media) => {
    const object = objectOf.get(media.id)
    return object ? { media, object } : []
  })
}
