import { type Selectable, sql } from 'kysely'
import type { FileType } from '#contract/revelations.ts'
import { createStatement, type Db, PREPARED_READ } from '#server/platform/database/db.ts'
import type { Media, MediaObjects } from '#server/platform/database/tables.ts'
import type { MediaState, MediaVariant } from './media.rules.ts'

export type MediaRow = Omit<Selectable<Media>, 'kind' | 'state'> & {
  kind: FileType
  state: MediaState
}
export type ObjectRow = Omit<Selectable<MediaObjects>, 'variant'> & { variant: MediaVariant }

type NewMedia = Pick<
  MediaRow,
  | 'id'
  | 'ownerId'
  | 'deliveryId'
  | 'kind'
  | 'mimeType'
  | 'extension'
  | 'sizeBytes'
  | 'wrappedKey'
  | 'takesSlot'
> & { wrappedTeaserKey: Buffer; createdAt: Date }

/** Inserts a file whose transfer begins, with the place of its bytes: a kill leaves no object without a row. */
export async function insertReceiving(
  db: Db,
  media: NewMedia,
  original: { storageKey: string; mimeType: string },
): Promise<void> {
  const { createdAt } = media
  await db
    .insertInto('media')
    .values({ ...media, state: 'receiving', receivingAt: createdAt })
    .execute()
  await db
    .insertInto('mediaObjects')
    .values({ ...original, mediaId: media.id, variant: 'original', sizeBytes: 0, createdAt })
    .execute()
}

/** Writes a sign of life of a transfer. */
export async function touchReceiving(db: Db, id: string, now: Date): Promise<void> {
  await db
    .updateTable('media')
    .set({ receivingAt: now })
    .where('id', '=', id)
    .where('state', '=', 'receiving')
    .execute()
}

/** Ends a transfer well; false when the file was swept meanwhile. */
export async function finishReceiving(
  db: Db,
  id: string,
  facts: Pick<MediaRow, 'kind' | 'mimeType' | 'extension' | 'sizeBytes'> & { sealedFacts: Buffer },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('media')
    .set({ ...facts, state: 'received', receivingAt: null })
    .where('id', '=', id)
    .where('state', '=', 'receiving')
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await db
    .updateTable('mediaObjects')
    .set({ mimeType: facts.mimeType, sizeBytes: facts.sizeBytes })
    .where('mediaId', '=', id)
    .where('variant', '=', 'original')
    .execute()
  return true
}

/** Deletes a transfer that failed; false when it is a file by now, or gone. */
export async function deleteReceiving(db: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('media')
    .where('id', '=', id)
    .where('state', '=', 'receiving')
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Moves a file from one state to another; false when it is not in the first. */
export async function updateMediaState(
  db: Db,
  id: string,
  from: MediaState,
  to: MediaState,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('media')
    .set({ state: to })
    .where('id', '=', id)
    .where('state', '=', from)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export interface StorageUsage {
  /** Of files and of unfinished uploads. */
  usedBytes: number
  /** Of unfinished uploads. */
  reservedBytes: number
  /** Transfers under way that take a slot. */
  transfers: number
}

/**
 * Measures a person's files, unfinished uploads and transfers under way in one statement, since bytes pass from an upload
 * to its file in one commit. Dead transfers and expired uploads do not count.
 */
export async function measureUsage(
  db: Db,
  ownerId: string,
  since: { alive: Date; unexpired: Date },
  exceptId?: string,
): Promise<StorageUsage> {
  const { rows } = await sql<StorageUsage>`
    select (files.bytes + reserved.bytes)::bigint as used_bytes,
      reserved.bytes as reserved_bytes, files.transfers
    from (
      select coalesce(sum(size_bytes), 0)::bigint as bytes,
        (count(*) filter (where state = 'receiving' and takes_slot))::integer as transfers
      from media
      where owner_id = ${ownerId} and (receiving_at is null or receiving_at > ${since.alive})
        and id is distinct from ${exceptId ?? null}::uuid
    ) as files, (
      select coalesce(sum(declared_bytes), 0)::bigint as bytes from uploads
      where owner_id = ${ownerId} and media_id is null and touched_at > ${since.unexpired}
    ) as reserved`.execute(db)
  const [usage] = rows
  if (!usage) throw new Error('Nothing was measured')
  return usage
}

const selectMedia = createStatement((db, { id }: { id: string }) =>
  db.selectFrom('media').selectAll().where('id', '=', id).modifyEnd(PREPARED_READ),
)

export async function findMedia(db: Db, id: string): Promise<MediaRow | undefined> {
  const [row] = await selectMedia(db, { id })
  return row as MediaRow | undefined
}

export async function findKind(db: Db, id: string): Promise<MediaRow['kind'] | undefined> {
  const row = await db.selectFrom('media').select('kind').where('id', '=', id).executeTakeFirst()
  return row?.kind as MediaRow['kind'] | undefined
}

/** The file with its row locked until the transaction ends. */
export async function lockMedia(db: Db, id: string): Promise<MediaRow | undefined> {
  const row = await db
    .selectFrom('media')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return row as MediaRow | undefined
}

/** Locks several files until the transaction ends, whichever of them there are. */
export async function lockMediaInOrder(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length < 2) return
  await sql`select from media where id = any(${ids}::uuid[]) order by id for update`.execute(db)
}

export type MediaFile = MediaRow & {
  variants: MediaVariant[]
  /** The size of the copy of a picture; null until it is rendered. */
  copyBytes: number | null
}

const selectFiles = createStatement((db, values: { ids: readonly string[] }) =>
  db
    .selectFrom('media')
    .selectAll()
    .select(
      sql<string[]>`array(select variant from media_objects where media_id = media.id)`.as(
        'variants',
      ),
    )
    .select((eb) =>
      eb
        .selectFrom('mediaObjects')
        .select('sizeBytes')
        .whereRef('mediaId', '=', 'media.id')
        .where('variant', '=', 'copy')
        .as('copyBytes'),
    )
    .where('id', '=', sql<string>`any(${values.ids}::uuid[])`)
    .modifyEnd(PREPARED_READ),
)

/** Files and the variants that each has now, in one query. */
export async function listMediaFiles(db: Db, ids: readonly string[]): Promise<MediaFile[]> {
  if (ids.length === 0) return []
  return (await selectFiles(db, { ids })) as MediaFile[]
}

export async function markCopyPlanned(db: Db, id: string): Promise<void> {
  await db.updateTable('media').set({ isCopyPlanned: true }).where('id', '=', id).execute()
}

/** Locks pictures that arrived and whose copy nobody planned; skips those that another transaction has locked. */
export async function lockWithoutCopy(db: Db, limit: number): Promise<{ id: string }[]> {
  return db
    .selectFrom('media')
    .select('id')
    .where('kind', '=', 'image')
    .where('isCopyPlanned', '=', false)
    .where('state', '!=', 'receiving')
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()
}

export async function markAttached(db: Db, id: string, now: Date): Promise<void> {
  await db.updateTable('media').set({ attachedAt: now }).where('id', '=', id).execute()
}

export async function deleteMedia(db: Db, id: string): Promise<void> {
  await db.deleteFrom('media').where('id', '=', id).execute()
}

const selectObject = createStatement(
  (db, { mediaId, variant }: { mediaId: string; variant: MediaVariant }) =>
    db
      .selectFrom('mediaObjects')
      .selectAll()
      .where('mediaId', '=', mediaId)
      .where('variant', '=', variant)
      .modifyEnd(PREPARED_READ),
)

export async function findObject(
  db: Db,
  mediaId: string,
  variant: MediaVariant,
): Promise<ObjectRow | undefined> {
  const [row] = await selectObject(db, { mediaId, variant })
  return row as ObjectRow | undefined
}

/** Whether an object is neither deleted nor replaced since it was read. */
export async function isStillStored(db: Db, object: ObjectRow): Promise<boolean> {
  const now = await findObject(db, object.mediaId, object.variant)
  return now?.storageKey === object.storageKey
}

/** Files with the objects of their original and of its copy; without those whose transfer is not over. */
export async function listForms(
  db: Db,
  ids: readonly string[],
): Promise<{ media: MediaRow; objects: ObjectRow[] }[]> {
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
      .where('variant', 'in', ['original', 'copy'])
      .execute() as Promise<ObjectRow[]>,
  ])
  const objectsOf = Map.groupBy(objects, ({ mediaId }) => mediaId)
  return files.map((media) => ({ media, objects: objectsOf.get(media.id) ?? [] }))
}

/** Replaces the object of a variant; answers the storage key of the previous one. */
export async function replaceObject(db: Db, object: ObjectRow): Promise<string | undefined> {
  const { mediaId, variant } = object
  const previous = await db
    .selectFrom('mediaObjects')
    .select('storageKey')
    .where('mediaId', '=', mediaId)
    .where('variant', '=', variant)
    .executeTakeFirst()
  await db
    .insertInto('mediaObjects')
    .values(object)
    .onConflict((conflict) => conflict.columns(['mediaId', 'variant']).doUpdateSet(object))
    .execute()
  return previous?.storageKey
}

/** Deletes the rows of variants; answers the storage keys that are left to delete. */
export async function deleteObjects(
  db: Db,
  mediaId: string,
  variants?: readonly MediaVariant[],
): Promise<string[]> {
  const rows = await db
    .deleteFrom('mediaObjects')
    .where('mediaId', '=', mediaId)
    .$if(variants !== undefined, (query) => query.where('variant', 'in', variants ?? []))
    .returning('storageKey')
    .execute()
  return rows.map((row) => row.storageKey)
}

export async function listKnownKeys(db: Db, storageKeys: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('mediaObjects')
    .select('storageKey')
    .where('storageKey', 'in', storageKeys)
    .execute()
  return new Set(rows.map((row) => row.storageKey))
}

/** Locks old unused files and dead transfers; skips those that another transaction has locked. */
export async function lockUnused(
  db: Db,
  before: { unused: Date; dead: Date },
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('media')
    .select('id')
    .where('attachedAt', 'is', null)
    .where((where) =>
      where.or([
        where('receivingAt', '<', before.dead),
        where.and([where('receivingAt', 'is', null), where('createdAt', '<', before.unused)]),
      ]),
    )
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()
  return rows.map((row) => row.id)
}
