import type { Selectable } from 'kysely'
import type { Db } from '#server/platform/database/db.ts'
import type { UploadPieces, Uploads } from '#server/platform/database/tables.ts'

export type UploadRow = Selectable<Uploads>
export type PieceRow = Selectable<UploadPieces>

type SealedUpload = Pick<UploadRow, 'wrappedKey' | 'sealHeader' | 'sealedFacts'>
type NewUpload = SealedUpload &
  Pick<UploadRow, 'id' | 'ownerId' | 'declaredBytes' | 'clientKey' | 'createdAt'>

export async function insertUpload(db: Db, upload: NewUpload): Promise<UploadRow> {
  return db
    .insertInto('uploads')
    .values({ ...upload, touchedAt: upload.createdAt })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** One person’s upload, finished or not. */
export async function findUpload(
  db: Db,
  ownerId: string,
  id: string,
  since: Date,
): Promise<UploadRow | undefined> {
  return db
    .selectFrom('uploads')
    .selectAll()
    .where('id', '=', id)
    .where('ownerId', '=', ownerId)
    .where('touchedAt', '>', since)
    .executeTakeFirst()
}

/** One person’s upload that was begun with a key, finished, expired or neither. */
export async function findUploadByKey(
  db: Db,
  ownerId: string,
  clientKey: Buffer,
): Promise<UploadRow | undefined> {
  return db
    .selectFrom('uploads')
    .selectAll()
    .where('ownerId', '=', ownerId)
    .where('clientKey', '=', clientKey)
    .executeTakeFirst()
}

/** One person’s unfinished uploads, the oldest first. */
export async function listOpen(db: Db, ownerId: string, since: Date): Promise<UploadRow[]> {
  return db
    .selectFrom('uploads')
    .selectAll()
    .where('ownerId', '=', ownerId)
    .where('mediaId', 'is', null)
    .where('touchedAt', '>', since)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
}

/** Bytes `from` to `to` of an upload have arrived: a stored piece, if they fill one, and what fills none yet. */
export interface Progress {
  uploadId: string
  from: number
  to: number
  piece: Omit<PieceRow, 'uploadId'> | undefined
  sealedTail: Buffer | null
}

/** Adds what has arrived to an upload; false when the upload does not end where it begins, or is gone. */
export async function advanceUpload(
  db: Db,
  { uploadId, from, to, piece, sealedTail }: Progress,
  { now, since }: { now: Date; since: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('uploads')
    .set({ receivedBytes: to, sealedTail, touchedAt: now })
    .where('id', '=', uploadId)
    .where('receivedBytes', '=', from)
    .where('mediaId', 'is', null)
    .where('touchedAt', '>', since)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  if (piece)
    await db
      .insertInto('uploadPieces')
      .values({ uploadId, ...piece })
      .execute()
  return true
}

/** The pieces in order. */
export async function listPieces(db: Db, uploadId: string): Promise<PieceRow[]> {
  return db
    .selectFrom('uploadPieces')
    .selectAll()
    .where('uploadId', '=', uploadId)
    .orderBy('firstByte')
    .execute()
}

/** Puts off the expiry of an upload; false when it is finished or has expired already. */
export async function touchUpload(
  db: Db,
  id: string,
  { now, since }: { now: Date; since: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('uploads')
    .set({ touchedAt: now })
    .where('id', '=', id)
    .where('mediaId', 'is', null)
    .where('touchedAt', '>', since)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Writes which file it became, and other seals; false when it became another one already, or is gone. */
export async function markFinished(
  db: Db,
  id: string,
  { mediaId, now, ...sealed }: { mediaId: string; now: Date } & SealedUpload,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('uploads')
    .set({ mediaId, touchedAt: now, ...sealed })
    .where('id', '=', id)
    .where('mediaId', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Deletes the rows of pieces; answers the storage keys that are left to delete. */
export async function deletePieces(db: Db, uploadIds: readonly string[]): Promise<string[]> {
  if (uploadIds.length === 0) return []
  const rows = await db
    .deleteFrom('uploadPieces')
    .where('uploadId', 'in', uploadIds)
    .returning('storageKey')
    .execute()
  return rows.map(({ storageKey }) => storageKey)
}

/** Locks an upload until the transaction ends; false when there is none. */
export async function lockUpload(db: Db, ownerId: string, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('uploads')
    .select('id')
    .where('id', '=', id)
    .where('ownerId', '=', ownerId)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}

/** Locks expired uploads; skips those that another transaction has locked. */
export async function lockExpired(db: Db, before: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('uploads')
    .select('id')
    .where('touchedAt', '<=', before)
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()
  return rows.map(({ id }) => id)
}

export async function deleteUploads(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await db.deleteFrom('uploads').where('id', 'in', ids).execute()
}

export async function listKnownPieces(
  db: Db,
  storageKeys: readonly string[],
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('uploadPieces')
    .select('storageKey')
    .where('storageKey', 'in', storageKeys)
    .execute()
  return new Set(rows.map(({ storageKey }) => storageKey))
}
