import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { createStatement, type Db, PREPARED } from '#server/platform/database/db.ts'
import type { Revelations } from '#server/platform/database/tables.ts'

export type SealedLetter = Pick<
  Selectable<Revelations>,
  'id' | 'commitment' | 'wrappedKey' | 'sealedContent' | 'sealedOpening'
>

/** The sealed letters of these revelations: to be read only by a right to each. */
export async function readSealedLetters(db: Db, ids: readonly string[]): Promise<SealedLetter[]> {
  return ids.length === 0 ? [] : readSealed(db, { ids })
}

const readSealed = createStatement((db, { ids }: { ids: readonly string[] }) =>
  db
    .selectFrom('revelations')
    .select(['id', 'commitment', 'wrappedKey', 'sealedContent', 'sealedOpening'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .modifyEnd(PREPARED),
)

export async function insertRevelation(db: Db, row: Insertable<Revelations>): Promise<void> {
  await db.insertInto('revelations').values(row).execute()
}

export async function updateRevelation(
  db: Db,
  id: string,
  change: Updateable<Revelations>,
): Promise<void> {
  await db.updateTable('revelations').set(change).where('id', '=', id).execute()
}

/** Deletes a row that is there; whether everybody could ever see it. */
export async function deleteRevelationRow(db: Db, id: string): Promise<boolean> {
  const { wasPublic } = await db
    .deleteFrom('revelations')
    .where('id', '=', id)
    .returning('wasPublic')
    .executeTakeFirstOrThrow()
  return wasPublic
}

export async function countRevelationsOf(db: Db, authorId: string): Promise<number> {
  const { count } = await db
    .selectFrom('revelations')
    .select((select) => select.fn.countAll().as('count'))
    .where('authorId', '=', authorId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Adds a line to the record of what was sealed when. Lines are never changed. */
export async function appendSeal(
  db: Db,
  seal: {
    revelationId: string
    version: number
    kind: 'create' | 'edit' | 'delete'
    commitment: Buffer
    sealedAt: Date
  },
): Promise<void> {
  await db.insertInto('seals').values(seal).execute()
}

/** Counts a view unless this viewer was already counted that day; how many there are then, undefined for the latter. */
export async function insertView(
  db: Db,
  view: { revelationId: string; viewer: string; day: string },
): Promise<number | undefined> {
  const inserted = await db
    .insertInto('revelationViews')
    .values(view)
    .onConflict((conflict) => conflict.doNothing())
    .returning('viewer')
    .executeTakeFirst()
  if (!inserted) return undefined
  const counted = await db
    .updateTable('revelations')
    .set({ viewsCount: sql`views_count + 1` })
    .where('id', '=', view.revelationId)
    .returning('viewsCount')
    .executeTakeFirst()
  return counted?.viewsCount
}

export async function deleteViewsBefore(db: Db, day: string): Promise<void> {
  await db.deleteFrom('revelationViews').where('day', '<', day).execute()
}
