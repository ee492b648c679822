import type { RelationshipType } from '#contract/relationships.ts'
import type { Db } from '#server/platform/database/database.ts'

function inOrder(one: string, other: string) {
  return one < other ? { lowUserId: one, highUserId: other } : { lowUserId: other, highUserId: one }
}

/** The accepted relationship of two people, whoever asked. */
export async function findRelationshipType(
  db: Db,
  one: string,
  other: string,
): Promise<RelationshipType | undefined> {
  const pair = inOrder(one, other)
  const row = await db
    .selectFrom('relationships')
    .select('type')
    .where('lowUserId', '=', pair.lowUserId)
    .where('highUserId', '=', pair.highUserId)
    .executeTakeFirst()
  return row?.type as RelationshipType | undefined
}

/** Everyone this person has an accepted relationship with. */
export async function listRelationshipsOf(
  db: Db,
  userId: string,
): Promise<{ userId: string; type: RelationshipType }[]> {
  const rows = await db
    .selectFrom('relationships')
    .select(['lowUserId', 'highUserId', 'type'])
    .where((where) => where.or([where('lowUserId', '=', userId), where('highUserId', '=', userId)]))
    .execute()
  return rows.map((row) => ({
    userId: row.lowUserId === userId ? row.highUserId : row.lowUserId,
    type: row.type as RelationshipType,
  }))
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
