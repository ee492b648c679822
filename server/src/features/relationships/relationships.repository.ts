import { sql } from 'kysely'
import type { RelationshipType } from '#contract/relationships.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { PersonTie } from './relationships.rules.ts'

function inOrder(one: string, other: string) {
  return one < other ? { lowUserId: one, highUserId: other } : { lowUserId: other, highUserId: one }
}

/** What ties two people, whoever asked or blocked. */
export async function findPersonTie(
  db: Db,
  one: string,
  other: string,
): Promise<PersonTie | undefined> {
  const { lowUserId, highUserId } = inOrder(one, other)
  const { rows } = await sql<{ tie: PersonTie }>`
    select 'blocked' as tie from blocks
      where (blocker_id, blocked_id) in ((${one}, ${other}), (${other}, ${one}))
    union all
    select type from relationships where low_user_id = ${lowUserId} and high_user_id = ${highUserId}
    limit 1`.execute(db)
  return rows[0]?.tie
}

/** Everyone this person is tied to, or hidden from by a block of either side. */
export async function listPersonTies(
  db: Db,
  userId: string,
): Promise<{ userId: string; tie: PersonTie }[]> {
  const { rows } = await sql<{ userId: string; tie: PersonTie }>`
    select high_user_id as user_id, type as tie from relationships where low_user_id = ${userId}
    union all
    select low_user_id, type from relationships where high_user_id = ${userId}
    union all
    select blocked_id, 'blocked' from blocks where blocker_id = ${userId}
    union all
    select blocker_id, 'blocked' from blocks where blocked_id = ${userId}`.execute(db)
  return rows
}

/** Makes two people friends or family of each other; changes the type when they already are related. */
export async function saveRelationship(
  db: Db,
  one: string,
  other: string,
  type: RelationshipType,
  createdAt: Date,
): Promise<void> {
  await db
    .insertInto('relationships')
    .values({ ...inOrder(one, other), type, createdAt })
    .onConflict((conflict) => conflict.columns(['lowUserId', 'highUserId']).doUpdateSet({ type }))
    .execute()
}
