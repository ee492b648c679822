import { type Insertable, type Selectable, type SqlBool, sql, type Updateable } from 'kysely'
import type { ProofField } from '#contract/proofs/proof.ts'
import { albumIds, selectEnvelopes } from '#server/features/access/envelopes.repository.ts'
import type { EnvelopeRow } from '#server/features/access/envelopes.rules.ts'
import { createStatement, type Db, PREPARED_READ } from '#server/platform/database/db.ts'
import type { Revelations } from '#server/platform/database/tables.ts'

export type SealedLetter = Pick<
  Selectable<Revelations>,
  | 'id'
  | 'commitment'
  | 'wrappedKey'
  | 'sealedContent'
  | 'sealedOpening'
  | 'sealedCaptions'
  | 'sealedFileWords'
  | 'sealedVoiceWords'
  | 'sealedStationery'
>

/** What is read of letters: without the captions and words of their files, which would weigh too much in lists. */
export interface LetterParts {
  withFileWords: boolean
}

/** The sealed letters of these revelations: to be read only by a right to each. */
export async function readSealedLetters(
  db: Db,
  ids: readonly string[],
  parts: LetterParts,
): Promise<SealedLetter[]> {
  return ids.length === 0 ? [] : readSealed(db, { ids, ...parts })
}

const readSealed = createStatement(
  (db, { ids, withFileWords }: LetterParts & { ids: readonly string[] }) =>
    db
      .selectFrom('revelations')
      .select([
        'id',
        'commitment',
        'wrappedKey',
        'sealedContent',
        'sealedOpening',
        'sealedCaptions',
        'sealedVoiceWords',
        'sealedStationery',
        sql<Buffer | null>`case when ${withFileWords}::boolean then sealed_file_words end`.as(
          'sealedFileWords',
        ),
      ])
      .where('id', '=', sql<string>`any(${ids}::uuid[])`)
      .modifyEnd(PREPARED_READ),
)

/** What a search opens of a letter. */
export type SealedContent = Pick<SealedLetter, 'id' | 'commitment' | 'wrappedKey' | 'sealedContent'>

/** The same without all that is sealed beside the text. */
export async function readSealedContents(db: Db, ids: readonly string[]): Promise<SealedContent[]> {
  return ids.length === 0 ? [] : readContents(db, { ids })
}

const readContents = createStatement((db, { ids }: { ids: readonly string[] }) =>
  db
    .selectFrom('revelations')
    .select(['id', 'commitment', 'wrappedKey', 'sealedContent'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .modifyEnd(PREPARED_READ),
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

/** Stores the files of an album in their order; a letter with one file has no row of its own for it. */
export async function replaceFiles(
  db: Db,
  revelationId: string,
  mediaIds: readonly string[],
): Promise<void> {
  await db.deleteFrom('revelationFiles').where('revelationId', '=', revelationId).execute()
  if (mediaIds.length < 2) return
  await db
    .insertInto('revelationFiles')
    .values(mediaIds.map((mediaId, position) => ({ revelationId, position, mediaId })))
    .execute()
}

/** Deletes a row that is there; whether its author’s record counted it. */
export async function deleteRevelationRow(db: Db, id: string): Promise<boolean> {
  const { recordState } = await db
    .deleteFrom('revelations')
    .where('id', '=', id)
    .returning('recordState')
    .executeTakeFirstOrThrow()
  return recordState !== 'none'
}

export async function countSealedOf(db: Db, authorId: string, now: Date): Promise<number> {
  const { count } = await db
    .selectFrom('revelations')
    .select((select) => select.fn.countAll().as('count'))
    .where('authorId', '=', authorId)
    .where('revealAt', '>', now)
    .executeTakeFirstOrThrow()
  return Number(count)
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
  const { rows } = await sql<{ viewsCount: number }>`
    with counted as (
      update revelations set views_count = views_count + 1 where id = ${view.revelationId}
      returning id, views_count
    ), dated as (
      insert into view_days (revelation_id, day, views) select id, ${view.day}, 1 from counted
      on conflict (revelation_id, day) do update set views = view_days.views + 1
    )
    select views_count from counted`.execute(db)
  return rows[0]?.viewsCount
}

export async function deleteViewsBefore(db: Db, day: string): Promise<void> {
  await db.deleteFrom('revelationViews').where('day', '<', day).execute()
}

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

/** The oldest first. */
export async function listEnvelopesBy(
  db: Db,
  authorId: string,
  after: Pick<EnvelopeRow, 'createdAt' | 'id'> | undefined,
  limit: number,
): Promise<EnvelopeRow[]> {
  return selectEnvelopes(db)
    .where('revelations.authorId', '=', authorId)
    .$if(after !== undefined, (query) =>
      query.where(
        sql<SqlBool>`(revelations.created_at, revelations.id) > (${after?.createdAt}, ${after?.id})`,
      ),
    )
    .orderBy('revelations.createdAt')
    .orderBy('revelations.id')
    .limit(limit)
    .execute()
}

export type CommittedRow = SealedLetter &
  Pick<Selectable<Revelations>, 'authorId' | 'title' | 'revealAt' | 'mediaId'> & {
    albumIds: readonly string[] | null
    /** What a viewer of the envelope is told of this version; null in format 1. */
    fields: readonly ProofField[] | null
    /** Who may see it, but for an operator who hides it, and what it is; and as each was last sealed, null where no seal says it. */
    audience: string
    sealedAudience: string | null
    kind: string
    sealedKind: string | null
  }

function selectCommitted(db: Db) {
  return db
    .selectFrom('revelations')
    .select(['id', 'authorId', 'title', 'kind', 'revealAt', 'mediaId', albumIds, 'commitment'])
    .select(['wrappedKey', 'sealedContent', 'sealedOpening', 'sealedCaptions'])
    .select(['sealedFileWords', 'sealedVoiceWords', 'sealedStationery'])
    .select(
      sql<readonly ProofField[] | null>`(
        select fields from seal_fields join seals on position = seal_position
        where seal_fields.revelation_id = revelations.id and kind <> 'change'
        order by seal_position desc limit 1
      )`.as('fields'),
    )
    .select(sql<string>`coalesce(visibility_before_hiding, visibility)`.as('audience'))
    .select(lastSealed('audience').as('sealedAudience'))
    .select(lastSealed('kind').as('sealedKind'))
}

/** The value of a field that is told to whoever sees the envelope, in the last seal that names it. */
function lastSealed(name: 'audience' | 'kind') {
  return sql<string | null>`(
    select field ->> 'value' from seal_fields cross join jsonb_array_elements(fields) as field
    where seal_fields.revelation_id = revelations.id and field ->> 'name' = ${name}
    order by seal_position desc limit 1
  )`
}

/** Letters with all parts of their commitment, a page at a time in the order of their ids. */
export async function listCommitted(
  db: Db,
  after: string | undefined,
  limit: number,
): Promise<CommittedRow[]> {
  return selectCommitted(db)
    .$if(after !== undefined, (query) => query.where('id', '>', after as string))
    .orderBy('id')
    .limit(limit)
    .execute()
}

export async function findCommitted(db: Db, id: string): Promise<CommittedRow | undefined> {
  return selectCommitted(db).where('id', '=', id).executeTakeFirst()
}
