import { sql } from 'kysely'
import type { Db } from '#server/platform/database/db.ts'
import type { Relation } from './relationships.rules.ts'

interface RelationBetween {
  one: string
  other: string
  tie: Relation
}

/** What ties any of these people to any of the others. */
export async function listRelationsBetween(
  db: Db,
  people: readonly string[],
  others: readonly string[],
): Promise<RelationBetween[]> {
  const { rows } = await sql<RelationBetween>`
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
      where high_user_id = any(${people}::uuid[]) and low_user_id = any(${others}::uuid[])`.execute(
    db,
  )
  return rows
}

/**
 * Waits until nobody changes what ties this person to anybody, or waits between them, to the end of the transaction; the
 * others of these pairs. The locks are those of `lockPair`.
 */
export async function lockPairsOf(db: Db, userId: string): Promise<string[]> {
  const { rows } = await sql<{ otherId: string }>`
    select other_id, pg_advisory_xact_lock(hashtextextended(
      'pair/' || least(other_id, ${userId}::uuid) || '/' || greatest(other_id, ${userId}::uuid), 0)) as locked
    from (${pairsOf(userId)} order by 1 offset 0) as pairs`.execute(db)
  return rows.map(({ otherId }) => otherId)
}

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
