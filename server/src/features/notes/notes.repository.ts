import { type SqlBool, sql } from 'kysely'
import type { NoteKind } from '#contract/sealing.ts'
import { createStatement, type Db, PREPARED } from '#server/platform/database/db.ts'

/** A note as it is stored; it opens under a right to it alone. */
export interface SealedNote {
  revelationId: string
  kind: NoteKind
  wrappedKey: Buffer
  sealedWords: Buffer
}

export async function listSealedNotes(
  db: Db,
  revelationIds: readonly string[],
): Promise<SealedNote[]> {
  if (revelationIds.length === 0) return []
  return selectNotes(db, { revelationIds })
}

const selectNotes = createStatement((db, { revelationIds }: { revelationIds: readonly string[] }) =>
  db
    .selectFrom('letterNotes')
    .select(['revelationId', 'kind', 'wrappedKey', 'sealedWords'])
    .where('revelationId', '=', sql<string>`any(${revelationIds}::uuid[])`)
    .modifyEnd(PREPARED)
    .$castTo<SealedNote>(),
)

export async function upsertNote(db: Db, note: SealedNote): Promise<void> {
  const { wrappedKey, sealedWords } = note
  await db
    .insertInto('letterNotes')
    .values(note)
    .onConflict((conflict) =>
      conflict.columns(['revelationId', 'kind']).doUpdateSet({ wrappedKey, sealedWords }),
    )
    .execute()
}

export async function deleteNote(db: Db, revelationId: string, kind: NoteKind): Promise<void> {
  await db
    .deleteFrom('letterNotes')
    .where('revelationId', '=', revelationId)
    .where('kind', '=', kind)
    .execute()
}

/** A page of all notes, for the check of an installation. */
export async function listAllSealedNotes(
  db: Db,
  after: Pick<SealedNote, 'revelationId' | 'kind'> | undefined,
  limit: number,
): Promise<SealedNote[]> {
  return db
    .selectFrom('letterNotes')
    .selectAll()
    .where(
      after
        ? sql<SqlBool>`(revelation_id, kind) > (${after.revelationId}::uuid, ${after.kind}::text)`
        : sql<SqlBool>`true`,
    )
    .orderBy('revelationId')
    .orderBy('kind')
    .limit(limit)
    .$castTo<SealedNote>()
    .execute()
}
