import { sql } from 'kysely'
import type { RelationshipType } from '#contract/relationships.ts'
import { createStatement, type Db, PREPARED } from '#server/platform/database/db.ts'
import type { Relation } from './relationships.rules.ts'

/** Somebody as the other of a pair sees them. */
export interface PersonRow {
  id: string
  pseudo: string
  /** Null until it is proved: anybody may have given it. */
  email: string | null
  avatarUrl: string | null
}

/** The address of a row of `users` as others may see it. */
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

/** What ties two people, whoever asked or blocked. */
export async function findRelationBetween(
  db: Db,
  one: string,
  other: string,
): Promise<Relation | undefined> {
  return (await findRelationOfPair(db, inOrder(one, other)))[0]?.tie
}

const findRelationOfPair = createStatement((db, pair: ReturnType<typeof inOrder>) => {
  const { lowUserId, highUserId } = pair
  const query = sql<{ tie: Relation }>`
    select 'blocked' as tie from blocks where (blocker_id, blocked_id)
      in ((${lowUserId}, ${highUserId}), (${highUserId}, ${lowUserId}))
    union all
    select type from relationships where low_user_id = ${lowUserId} and high_user_id = ${highUserId}
    limit 1 ${PREPARED}`
  return { compile: () => query.compile(db) }
})

/** Everyone this person is tied to, or hidden from by a block of either side. */
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
    select blocker_id, 'blocked' from blocks where blocked_id = ${userId} ${PREPARED}`.execute(db)
  return rows
}

/**
 * Waits until nobody else changes what ties these two, and keeps it so to the end of the transaction. A row lock
 * would not do: strangers have no row.
 */
export async function lockPair(db: Db, one: string, other: string): Promise<void> {
  const { lowUserId, highUserId } = inOrder(one, other)
  const name = `pair/${lowUserId}/${highUserId}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(db)
}

/** Makes two people friends or family of each other; changes the type when they already are related. */
export async function saveRelationship(
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

/** Everyone related to this person, the latest first. */
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

/** Somebody, even if their profile is hidden. */
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
