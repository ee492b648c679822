import { sql } from 'kysely'
import type { ProofField } from '#contract/proofs/proof.ts'
import type { Db } from '#server/platform/database/db.ts'
import type { SealRow } from './leaves.rules.ts'

export interface OwnedSeal extends SealRow {
  revelationId: string
}

/** What a viewer of the envelope is told of one seal. */
export interface FieldsRow {
  position: number
  revelationId: string
  fields: readonly ProofField[]
}

/** What was last written of when: by the log, and of this revelation. */
export async function findLatestInstant(
  db: Db,
  revelationId: string | undefined,
): Promise<Date | null> {
  const { rows } = await sql<{ latest: Date | null }>`
    select greatest(
      (select signed_at from log_checkpoints order by size desc limit 1),
      (select max(sealed_at) from seals where revelation_id = ${revelationId ?? null}::uuid)
    ) as latest`.execute(db)
  return rows[0]?.latest ?? null
}

/** All seals of these revelations, in their order. */
export async function listSealsOf(db: Db, revelationIds: readonly string[]): Promise<OwnedSeal[]> {
  if (revelationIds.length === 0) return []
  return db
    .selectFrom('seals')
    .select([
      'position',
      'format',
      'kind',
      'version',
      'commitment',
      'sealedAt',
      'identity',
      'former',
    ])
    .select('revelationId')
    .where('revelationId', '=', sql<string>`any(${revelationIds}::uuid[])`)
    .orderBy('position')
    .$castTo<OwnedSeal>()
    .execute()
}

export async function countSeals(db: Db, revelationId: string): Promise<number> {
  const { count } = await db
    .selectFrom('seals')
    .select((select) => select.fn.countAll().as('count'))
    .where('revelationId', '=', revelationId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Appends seals, which are never changed; answers the position of each revelation’s. */
export async function insertSeals(
  db: Db,
  seals: readonly Omit<OwnedSeal, 'position'>[],
): Promise<Map<string, number>> {
  const rows = await db
    .insertInto('seals')
    .values([...seals])
    .returning(['revelationId', 'position'])
    .execute()
  return new Map(rows.map(({ revelationId, position }) => [revelationId, position]))
}

export async function insertFields(db: Db, rows: readonly FieldsRow[]): Promise<void> {
  if (rows.length === 0) return
  const values = rows.map(({ position, revelationId, fields }) => ({
    sealPosition: position,
    revelationId,
    fields: JSON.stringify(fields),
  }))
  await db.insertInto('sealFields').values(values).execute()
}

/** What is told of the versions of these revelations, without what only changed their audience or kind. */
export async function listFieldsOfVersions(
  db: Db,
  revelationIds: readonly string[],
): Promise<FieldsRow[]> {
  if (revelationIds.length === 0) return []
  return db
    .selectFrom('sealFields')
    .innerJoin('seals', 'position', 'sealPosition')
    .select(['position', 'sealFields.revelationId', 'fields'])
    .where('sealFields.revelationId', '=', sql<string>`any(${revelationIds}::uuid[])`)
    .where('kind', '<>', 'change')
    .$castTo<FieldsRow>()
    .execute()
}

export async function updateFields(
  db: Db,
  { position, fields }: Pick<FieldsRow, 'position' | 'fields'>,
): Promise<void> {
  await db
    .updateTable('sealFields')
    .set({ fields: JSON.stringify(fields) })
    .where('sealPosition', '=', position)
    .execute()
}

/** Stores what shows whose the identity in the leaves is; it goes with the revelation. */
export async function storeBlindings(
  db: Db,
  rows: readonly { revelationId: string; blinding: Buffer }[],
): Promise<void> {
  if (rows.length === 0) return
  const ids = rows.map(({ revelationId }) => revelationId)
  const blindings = rows.map(({ blinding }) => blinding)
  await sql`
    update revelations set identity_blinding = added.blinding
    from unnest(${ids}::uuid[], ${blindings}::bytea[]) as added (id, blinding)
    where revelations.id = added.id`.execute(db)
}
