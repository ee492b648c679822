import { sql } from 'kysely'
import type { Db } from '#server/platform/database/db.ts'
import type { MediaRow, ObjectRow } from './media.repository.ts'
import type { UploadRow } from './uploads.repository.ts'

export interface StoredFile {
  media: MediaRow
  objects: ObjectRow[]
}

/** Files that have arrived with all their stored objects, a page at a time in the order of their ids. */
export async function listStoredFiles(
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

/** Uploads of everybody, finished or not, a page at a time in the order of their ids. */
export async function listUploads(
  db: Db,
  after: string | undefined,
  limit: number,
): Promise<UploadRow[]> {
  return db
    .selectFrom('uploads')
    .selectAll()
    .$if(after !== undefined, (query) => query.where('id', '>', after as string))
    .orderBy('id')
    .limit(limit)
    .execute()
}

export async function findUploadOfAnybody(db: Db, id: string): Promise<UploadRow | undefined> {
  return db.selectFrom('uploads').selectAll().where('id', '=', id).executeTakeFirst()
}
