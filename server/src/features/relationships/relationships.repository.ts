import { sql } from 'kysely'
import type { RelationshipType } from '#contract/relationships.ts'
import { createStatement, type Db, PREPARED_READ } from '#server/platform/database/db.ts'
import type { Relation } from './relationships.rules.ts'

/** One of a pair, as the other sees them. */
export interface PersonRow {
  id: string
  pseudo: string
  /** Null until it is proved: anybody may have entered it. */
  email: string | null
  avatarUrl: string | null
}

/** The address of a row of `users`, once proved. */
export const PROVED_EMAIL = sql<
  string | null
>`case when users.email_verified_at is not null then users.email end`

export interface RelationshipRow {
  id: string
  lowUserId: string
  highUserId: string
  type: RelationshipType
  createdAt: Date
}

function inOrder(one: string, other: string) {
  return one < other ? { lowUserId: one, highUserId: other } : { lowUserId: other, highUserId: one }
}

/** The relation of two people, in either direction. */
export async function findRelationBetween(
  db: Db,
  one: string,
  other: string,
): Promise<Relation | undefined> {
  return (await findRelationOfPair(db, inOrder(one, other)))[0]?.tie
}

const findRelationOfPair = createStatement((_db, pair: ReturnType<typeof inOrder>) => {
  const { lowUserId, highUserId } = pair
  return sql<{ tie: Relation }>`
    select 'blocked' as tie from blocks where (blocker_id, blocked_id)
      in ((${lowUserId}, ${highUserId}), (${highUserId}, ${lowUserId}))
    union all
    select type from relationships where low_user_id = ${lowUserId} and high_user_id = ${highUserId}
    limit 1 ${PREPARED_READ}`
})

/** Every relation of this person, blocks of either side included. */
export async function listRelationsOf(
  db: Db,
  userId: string,
): Promise<{ userId: string; tie: Relation }[]> {
  const { rows } = await sql<{ userId: string; tie: Relation }>`
    select high_user_id as user_id, type as tie from relationships where low_user_id = ${userId}
    union all
    select low_user_id, type from relationships where high_user_id = ${userId}
    union all
    select blocked_id, 'blocked' from blocks where blocker_id = ${userId}
    union all
    select blocker_id, 'blocked' from blocks where blocked_id = ${userId} ${PREPARED_READ}`.execute(
    db,
  )
  return rows
}

const selectBlocksAround = createStatement(
  (_db, { people }: { people: readonly string[] }) => sql<{ id: string }>`
    select blocked_id as id from blocks where blocker_id = any(${people}::uuid[])
    union
    select blocker_id from blocks where blocked_id = any(${people}::uuid[]) ${PREPARED_READ}`,
)

/** Whoever blocked one of these people, or was blocked by one of them. */
export async function listBlocksAround(db: Db, people: readonly string[]): Promise<string[]> {
  return (await selectBlocksAround(db, { people })).map(({ id }) => id)
}

interface RelationBetween {
  one: string
  other: string
  tie: Relation
}

type TwoSides = Record<'people' | 'others', readonly string[]>

/** The relations of any of these people with any of the others. */
export const listRelationsBetween = createStatement(
  (_db, { people, others }: TwoSides) => sql<RelationBetween>`
    select blocker_id as one, blocked_id as other, 'blocked' as tie from blocks
      where blocker_id = any(${people}::uuid[]) and blocked_id = any(${others}::uuid[])
    union all
    select blocked_id, blocker_id, 'blocked' from blocks
      where blocked_id = any(${people}::uuid[]) and blocker_id = any(${others}::uuid[])
    union all
    select low_user_id, high_user_id, type from relationships
      where low_user_id = any(${people}::uuid[]) and high_user_id = any(${others}::uuid[])
    union all
    select high_user_id, low_user_id, type from relationships
      where high_user_id = any(${people}::uuid[]) and low_user_id = any(${others}::uuid[]) ${PREPARED_READ}`,
)

/**
 * Locks every pair of this person that has a relationship, a request or a block, like `lockPair`, and answers the others
 * of these pairs.
 */
export async function lockPairsOf(db: Db, userId: string): Promise<string[]> {
  const { rows } = await sql<{ otherId: string }>`
    select other_id, pg_advisory_xact_lock(hashtextextended(
      'pair/' || least(other_id, ${userId}::uuid) || '/' || greatest(other_id, ${userId}::uuid), 0)) as locked
    from (${pairsOf(userId)} order by 1 offset 0) as pairs`.execute(db)
  return rows.map(({ otherId }) => otherId)
}

/** The others of the pairs that `lockPairsOf` locks. */
export async function listPairsOf(db: Db, userId: string): Promise<string[]> {
  const { rows } = await sql<{ otherId: string }>`${pairsOf(userId)}`.execute(db)
  return rows.map(({ otherId }) => otherId)
}

function pairsOf(userId: string) {
  return sql`
    select high_user_id as other_id from relationships where low_user_id = ${userId}
    union select low_user_id from relationships where high_user_id = ${userId}
    union select receiver_id from relationship_requests where sender_id = ${userId}
    union select sender_id from relationship_requests where receiver_id = ${userId}
    union select blocked_id from blocks where blocker_id = ${userId}
    union select blocker_id from blocks where blocked_id = ${userId}`
}

/**
 * Locks what these two are to each other to the end of the transaction. Strangers have no row that could be locked
 * instead.
 */
export async function lockPair(db: Db, one: string, other: string): Promise<void> {
  const { lowUserId, highUserId } = inOrder(one, other)
  const name = `pair/${lowUserId}/${highUserId}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(db)
}

/** Relates two people, or changes the type of their relationship. */
export async function upsertRelationship(
  db: Db,
  one: string,
  other: string,
  type: RelationshipType,
  createdAt: Date,
): Promise<RelationshipRow> {
  const row = await db
    .insertInto('relationships')
    .values({ ...inOrder(one, other), type, createdAt })
    .onConflict((conflict) => conflict.columns(['lowUserId', 'highUserId']).doUpdateSet({ type }))
    .returningAll()
    .executeTakeFirstOrThrow()
  return row as RelationshipRow
}

export async function findRelationship(db: Db, id: string): Promise<RelationshipRow | undefined> {
  const row = await db
    .selectFrom('relationships')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  return row as RelationshipRow | undefined
}

export async function findRelationshipBetween(
  db: Db,
  one: string,
  other: string,
): Promise<RelationshipRow | undefined> {
  const { lowUserId, highUserId } = inOrder(one, other)
  const row = await db
    .selectFrom('relationships')
    .selectAll()
    .where('lowUserId', '=', lowUserId)
    .where('highUserId', '=', highUserId)
    .executeTakeFirst()
  return row as RelationshipRow | undefined
}

/** The relationships of this person, the latest first. */
export async function listRelationshipsOf(
  db: Db,
  userId: string,
): Promise<(RelationshipRow & { person: PersonRow })[]> {
  const { rows } = await sql<RelationshipRow & PersonRow & { personId: string }>`
    select relationships.*, other_id as person_id, pseudo, email, avatar_url
    from (
      select *, high_user_id as other_id from relationships where low_user_id = ${userId}
      union all
      select *, low_user_id from relationships where high_user_id = ${userId}
    ) as relationships
    cross join lateral (
      select pseudo, ${PROVED_EMAIL} as email, avatar_url from users where users.id = other_id limit 1
    ) as person
    order by relationships.created_at desc, relationships.id`.execute(db)
  return rows.map(({ personId, pseudo, email, avatarUrl, ...row }) => ({
    ...row,
    person: { id: personId, pseudo, email, avatarUrl },
  }))
}

export async function deleteRelationship(db: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('relationships')
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** A person, even with a hidden profile. */
export interface FoundPerson extends PersonRow {
  hiddenAt: Date | null
}

export async function findPerson(db: Db, id: string): Promise<FoundPerson | undefined> {
  return db
    .selectFrom('users')
    .select(['id', 'pseudo', PROVED_EMAIL.as('email'), 'avatarUrl', 'hiddenAt'])
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function insertBlock(
  db: Db,
  block: { blockerId: string; blockedId: string; createdAt: Date },
): Promise<void> {
  await db.insertInto('blocks').values(block).execute()
}

export async function isBlockedBy(db: Db, blockerId: string, blockedId: string): Promise<boolean> {
  const row = await db
    .selectFrom('blocks')
    .select('blockedId')
    .where('blockerId', '=', blockerId)
    .where('blockedId', '=', blockedId)
    .executeTakeFirst()
  return row !== undefined
}

/** The people whom this person blocked, the latest first. */
export async function listBlockedBy(
  db: Db,
  blockerId: string,
): Promise<(Omit<PersonRow, 'email'> & { createdAt: Date })[]> {
  return db
    .selectFrom('blocks')
    .innerJoin('users', 'users.id', 'blocks.blockedId')
    .select(['users.id', 'users.pseudo', 'users.avatarUrl', 'blocks.createdAt'])
    .where('blocks.blockerId', '=', blockerId)
    .orderBy('blocks.createdAt', 'desc')
    .orderBy('users.id')
    .execute()
}

/** False without such a block. */
export async function deleteBlock(db: Db, blockerId: string, blockedId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('blocks')
    .where('blockerId', '=', blockerId)
    .where('blockedId', '=', blockedId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
