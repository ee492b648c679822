import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Category, FileType, Visibility } from '#contract/revelations.ts'
import type { PredictionFacts } from '#server/features/predictions/predictions.rules.ts'
import type { Db } from '#server/platform/database/database.ts'
import { createStatement, PREPARED } from '#server/platform/database/prepared.ts'
import type { Revelations } from '#server/platform/database/tables.ts'

/** What can be seen of a sealed revelation. The letter is not here: `readSealedLetters` asks for a right. */
export interface EnvelopeRow extends PredictionFacts {
  id: string
  authorId: string
  authorPseudo: string
  authorAvatar: string | null
  title: string
  category: Category
  visibility: Visibility
  targetEmail: string
  targetEmailKey: string
  secondEmail: string | null
  secondEmailKey: string | null
  revealAt: Date
  timeZone: string
  mediaId: string | null
  fileType: FileType | null
  teaserStart: number | null
  teaserEnd: number | null
  version: number
  commitment: Buffer
  reactionsCount: number
  commentsCount: number
  viewsCount: number
  createdAt: Date
  updatedAt: Date
  isAddresseeNotified: boolean
  isSecondNotified: boolean
  hiddenAt: Date | null
}

export type SealedLetter = Pick<
  Selectable<Revelations>,
  'id' | 'commitment' | 'wrappedKey' | 'sealedContent' | 'sealedOpening'
>

/** Envelopes, joined with their author and whether each addressee was told. */
export function selectEnvelopes(db: Db) {
  return (
    db
      .selectFrom('revelations')
      // One row each, by its key: a list of twenty is no reason to read a whole table.
      .innerJoinLateral(
        (query) =>
          query
            .selectFrom('users')
            .select(['pseudo', 'avatarUrl'])
            .whereRef('users.id', '=', 'revelations.authorId')
            .limit(1)
            .as('author'),
        (join) => join.onTrue(),
      )
      .leftJoinLateral(
        (query) =>
          query
            .selectFrom('deliveries')
            .select([
              sql<boolean>`bool_or(rank = 'first' and notified_at is not null)`.as('isFirstTold'),
              sql<boolean>`bool_or(rank = 'second' and notified_at is not null)`.as('isSecondTold'),
            ])
            .whereRef('deliveries.revelationId', '=', 'revelations.id')
            .as('delivery'),
        (join) => join.onTrue(),
      )
      .select([
        'revelations.id',
        'revelations.authorId',
        'author.pseudo as authorPseudo',
        'author.avatarUrl as authorAvatar',
        'revelations.title',
        'revelations.category',
        'revelations.visibility',
        'revelations.targetEmail',
        'revelations.targetEmailKey',
        'revelations.secondEmail',
        'revelations.secondEmailKey',
        'revelations.revealAt',
        'revelations.timeZone',
        'revelations.mediaId',
        'revelations.fileType',
        'revelations.teaserStart',
        'revelations.teaserEnd',
        'revelations.version',
        'revelations.commitment',
        'revelations.reactionsCount',
        'revelations.commentsCount',
        'revelations.viewsCount',
        'revelations.createdAt',
        'revelations.updatedAt',
        'revelations.hiddenAt',
        'revelations.outcome',
        'revelations.outcomeSource',
        'revelations.outcomeDeclaredAt',
        'revelations.outcomeChangedAt',
        'revelations.formerOutcome',
        'revelations.votesFulfilled',
        'revelations.votesPartly',
        'revelations.votesFailed',
        'revelations.votesUndecidable',
      ])
      .select([
        sql<boolean>`coalesce(is_first_told, false)`.as('isAddresseeNotified'),
        sql<boolean>`coalesce(is_second_told, false)`.as('isSecondNotified'),
      ])
      .$castTo<EnvelopeRow>()
  )
}

const findById = createStatement((db, values: { id: string }) =>
  selectEnvelopes(db).where('revelations.id', '=', values.id).modifyEnd(PREPARED),
)

export async function findEnvelope(db: Db, id: string): Promise<EnvelopeRow | undefined> {
  return (await findById(db, { id }))[0]
}

/** The envelope with its row locked until the transaction ends. */
export async function lockEnvelope(db: Db, id: string): Promise<EnvelopeRow | undefined> {
  return selectEnvelopes(db)
    .where('revelations.id', '=', id)
    .forUpdate('revelations')
    .executeTakeFirst()
}

export async function findEnvelopeByMedia(
  db: Db,
  mediaId: string,
): Promise<EnvelopeRow | undefined> {
  return selectEnvelopes(db).where('revelations.mediaId', '=', mediaId).executeTakeFirst()
}

/** The sealed letters of these revelations: to be asked only once `mayRead` said yes for each. */
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

/** Deletes a row that is there, and tells whether everybody could ever see it. */
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

/** Counts a view unless this viewer was already counted that day. */
export async function insertView(
  db: Db,
  view: { revelationId: string; viewer: string; day: string },
): Promise<void> {
  const inserted = await db
    .insertInto('revelationViews')
    .values(view)
    .onConflict((conflict) => conflict.doNothing())
    .returning('viewer')
    .executeTakeFirst()
  if (!inserted) return
  await db
    .updateTable('revelations')
    .set({ viewsCount: sql`views_count + 1` })
    .where('id', '=', view.revelationId)
    .execute()
}

export async function deleteViewsBefore(db: Db, day: string): Promise<void> {
  await db.deleteFrom('revelationViews').where('day', '<', day).execute()
}
