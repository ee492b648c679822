import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import type { PersonTie } from './relationships.rules.ts'

interface TieBetween {
  one: string
  other: string
  tie: PersonTie
}

/** What ties any of these people to any of the others. */
export async function listTiesBetween(
  db: Db,
  people: readonly string[],
  others: readonly string[],
): Promise<TieBetween[]> {
  const { rows } = await sql<TieBetween>`
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
