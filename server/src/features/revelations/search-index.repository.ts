import { sql } from 'kysely'
import type { Db } from '#server/platform/database/db.ts'
import type { LetterVersion } from '#server/platform/sealing/reading-right.ts'

/** A revealed letter, locked as it is. */
export type LetterToIndex = LetterVersion & { revealAt: Date; isPublic: boolean }

/**
 * Locks revealed letters that no index contains, public ones that are not searched in their own words yet, and those whose pieces are of
 * an earlier program; without those that others change at this moment.
 */
export async function lockToIndex(tx: Db, now: Date, limit: number): Promise<LetterToIndex[]> {
  const { rows } = await sql<LetterToIndex>`
    select id, commitment, reveal_at, visibility = 'public' as is_public from revelations
    where id = any(array(
      (select id from revelations where not searchable and reveal_at <= ${now} order by reveal_at limit ${limit})
      union all
      (select revelation_id from letter_grams join revelations on id = revelation_id
        where outdated and searchable and reveal_at <= ${now} limit ${limit})
      limit ${limit}
    )) and reveal_at <= ${now}
    for no key update skip locked`.execute(tx)
  return rows
}

/** What letters are searched by: public ones by their text, all others by keyed pieces. */
export interface LetterIndex {
  open: { id: string; content: string }[]
  keyed: { id: string; grams: number[] }[]
}

/** Makes letters searchable whose rows are locked. */
export async function saveIndex(tx: Db, { open, keyed }: LetterIndex): Promise<void> {
  const idsOf = (letters: readonly { id: string }[]) => letters.map(({ id }) => id)
  if (open.length > 0) {
    await sql`insert into public_letters (revelation_id, form)
      select id, search_form(content)
      from unnest(${idsOf(open)}::uuid[], ${open.map(({ content }) => content)}::text[]) as letter (id, content)
      on conflict (revelation_id) do update set form = excluded.form`.execute(tx)
    await tx.deleteFrom('letterGrams').where('revelationId', 'in', idsOf(open)).execute()
  }
  if (keyed.length > 0) {
    await tx
      .insertInto('letterGrams')
      .values(keyed.map(({ id, grams }) => ({ revelationId: id, grams })))
      .onConflict((conflict) =>
        conflict.column('revelationId').doUpdateSet({
          grams: sql`excluded.grams`,
          audience: sql`excluded.audience`,
          outdated: false,
        }),
      )
      .execute()
  }
  await tx
    .updateTable('revelations')
    .set({ searchable: true })
    .where('id', 'in', idsOf([...open, ...keyed]))
    .where('searchable', '=', false)
    .execute()
}
