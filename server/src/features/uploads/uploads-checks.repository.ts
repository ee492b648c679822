import type { Db } from '#server/platform/database/database.ts'
import type { UploadRow } from './uploads.repository.ts'

/** Uploads, finished or not, a page at a time in the order of their ids. */
export async function listKept(
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

export async function findKept(db: Db, id: string): Promise<UploadRow | undefined> {
  return db.selectFrom('uploads').selectAll().where('id', '=', id).executeTakeFirst()
}
