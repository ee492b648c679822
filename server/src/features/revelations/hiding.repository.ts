import { sql } from 'kysely'
import type { Db } from '#server/platform/database/db.ts'

/** A revelation and its author. */
interface OwnedRevelation {
  id: string
  authorId: string
}

/** Hides a revelation as migration 0016 describes; undefined when it is gone or hidden already. */
export async function setHidden(
  db: Db,
  id: string,
  hiddenAt: Date,
): Promise<OwnedRevelation | undefined> {
  return db
    .updateTable('revelations')
    .set({ hiddenAt, visibilityBeforeHiding: sql`visibility`, visibility: 'private' })
    .where('id', '=', id)
    .where('hiddenAt', 'is', null)
    .returning(['id', 'authorId'])
    .executeTakeFirst()
}

/** Shows it again to the audience of before; undefined when it is gone or not hidden. */
export async function clearHidden(
  db: Db,
  id: string,
): Promise<(OwnedRevelation & { revealAt: Date; hiddenSince: Date }) | undefined> {
  return db
    .updateTable('revelations')
    .set({
      hiddenAt: null,
      visibility: sql`coalesce(visibility_before_hiding, visibility)`,
      visibilityBeforeHiding: null,
    })
    .where('id', '=', id)
    .where('hiddenAt', 'is not', null)
    .returning([
      'id',
      'authorId',
      'revealAt',
      // Within one statement, the row as it was.
      sql<Date>`(select hidden_at from revelations as before where before.id = revelations.id)`.as(
        'hiddenSince',
      ),
    ])
    .executeTakeFirst()
}
