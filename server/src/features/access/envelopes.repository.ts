import { type RawBuilder, sql } from 'kysely'
import type { Relation } from '#server/features/relationships/relationships.rules.ts'
import { createStatement, type Db, PREPARED_READ } from '#server/platform/database/db.ts'
import type { EnvelopeRow, Recipient } from './envelopes.rules.ts'
import { LIVING_SAVES } from './saved-letters.repository.ts'

/** Of a row of `revelations`: read for the few letters with several files alone. */
export const albumIds = sql<string[] | null>`case when revelations.is_album then array(
  select media_id from revelation_files where revelation_id = revelations.id order by position
) end`.as('albumIds')

/** Envelopes, joined with their author and recipients. */
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
            .select(
              sql<Recipient[]>`coalesce(json_agg(json_build_object(
                'deliveryId', id, 'address', address, 'addressKey', address_key, 'name', name,
                'isNotified', notified_at is not null
              ) order by position), '[]')`.as('recipients'),
            )
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
        'revelations.kind',
        'revelations.category',
        'revelations.visibility',
        'revelations.publicSince',
        'revelations.recordState',
        'delivery.recipients',
        'revelations.recipientsSeeEachOther',
        'revelations.revealAt',
        'revelations.timeZone',
        'revelations.mediaId',
        albumIds,
        'revelations.sealVoiceId',
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
      .$castTo<EnvelopeRow>()
  )
}

const findById = createStatement((db, values: { id: string }) =>
  selectEnvelopes(db).where('revelations.id', '=', values.id).modifyEnd(PREPARED_READ),
)

export async function findEnvelope(db: Db, id: string): Promise<EnvelopeRow | undefined> {
  return (await findById(db, { id }))[0]
}

/** A value in a query: how two people are tied, each of them an id or a column; null when they are not. A block goes before. */
export function tieBetween(
  one: string | RawBuilder<unknown>,
  other: string | RawBuilder<unknown>,
): RawBuilder<Relation | null> {
  return sql`coalesce((
    select 'blocked' from blocks
    where (blocker_id, blocked_id) in ((${one}, ${other}), (${other}, ${one})) limit 1
  ), (
    select type from relationships
    where low_user_id = least(${one}::uuid, ${other}::uuid)
      and high_user_id = greatest(${one}::uuid, ${other}::uuid)
  ))`
}

/** How an account stands to a letter and its author, by what is in the database. */
export interface StoredRelation {
  tie: Relation | null
  /** Of the delivery by whose link it joined the letter. */
  savedDeliveryId: string | null
}

/** Of a row of `revelations`. */
function storedRelationOf(userId: string) {
  return [
    tieBetween(userId, sql.ref('revelations.author_id')).as('tie'),
    sql<string | null>`(
      select delivery_id from ${LIVING_SAVES} as living
      where user_id = ${userId} and revelation_id = revelations.id
    )`.as('savedDeliveryId'),
  ] as const
}

const selectStoredRelation = createStatement((db, { id, userId }: { id: string; userId: string }) =>
  db
    .selectFrom('revelations')
    .select(storedRelationOf(userId))
    .where('id', '=', id)
    .modifyEnd(PREPARED_READ)
    .$castTo<StoredRelation>(),
)

/** Undefined once the letter is deleted. */
export async function findStoredRelation(
  db: Db,
  userId: string,
  id: string,
): Promise<StoredRelation | undefined> {
  return (await selectStoredRelation(db, { id, userId }))[0]
}

const findByIdFor = createStatement((db, { id, userId }: { id: string; userId: string }) =>
  selectEnvelopes(db)
    .select(storedRelationOf(userId))
    .where('revelations.id', '=', id)
    .modifyEnd(PREPARED_READ)
    .$castTo<EnvelopeRow & StoredRelation>(),
)

/** The envelope, and how this account stands to it. */
export async function findEnvelopeFor(
  db: Db,
  userId: string,
  id: string,
): Promise<{ envelope: EnvelopeRow; stored: StoredRelation } | undefined> {
  const [found] = await findByIdFor(db, { id, userId })
  if (!found) return undefined
  const { tie, savedDeliveryId, ...envelope } = found
  return { envelope, stored: { tie, savedDeliveryId } }
}

/**
 * The envelope with its row locked until the transaction ends. Read by a statement of its own: one that waited for the lock
 * has the recipients from before.
 */
export async function lockEnvelope(db: Db, id: string): Promise<EnvelopeRow | undefined> {
  await db.selectFrom('revelations').select('id').where('id', '=', id).forUpdate().execute()
  return findEnvelope(db, id)
}

const findByMedia = createStatement((db, { mediaId }: { mediaId: string }) =>
  selectEnvelopes(db)
    .where('revelations.id', 'in', revelationsWith(sql`array[${mediaId}]`))
    .modifyEnd(PREPARED_READ),
)

/** The envelope of the letter that a file belongs to, as one of its files or as the voice of its seal. */
export async function findEnvelopeByMedia(
  db: Db,
  mediaId: string,
): Promise<EnvelopeRow | undefined> {
  return (await findByMedia(db, { mediaId }))[0]
}

/** By the three indexes: one condition over both tables would read every revelation. */
function revelationsWith(mediaIds: RawBuilder<unknown>) {
  const named = sql`any(${mediaIds}::uuid[])`
  return sql<string>`(
    select id from revelations as holder where media_id = ${named} or seal_voice_id = ${named}
    union select revelation_id from revelation_files where media_id = ${named}
  )`
}

const selectByIds = createStatement((db, { ids }: { ids: readonly string[] }) =>
  selectEnvelopes(db)
    .where('revelations.id', '=', sql<string>`any(${ids}::uuid[])`)
    .modifyEnd(PREPARED_READ),
)

export async function listEnvelopesById(db: Db, ids: readonly string[]): Promise<EnvelopeRow[]> {
  return ids.length === 0 ? [] : selectByIds(db, { ids })
}

/** A revelation and its author. */
export interface OwnedRevelation {
  id: string
  authorId: string
}

export async function listByMedia(db: Db, mediaIds: readonly string[]): Promise<OwnedRevelation[]> {
  if (mediaIds.length === 0) return []
  return db
    .selectFrom('revelations')
    .select(['id', 'authorId'])
    .where('id', 'in', revelationsWith(sql`${mediaIds}`))
    .execute()
}

/** The revelations whose instant lies after `since`, up to `until`. */
export async function listRevealedWithin(
  db: Db,
  { since, until }: { since: Date; until: Date },
): Promise<OwnedRevelation[]> {
  return db
    .selectFrom('revelations')
    .select(['id', 'authorId'])
    .where('revealAt', '>', since)
    .where('revealAt', '<=', until)
    .execute()
}
