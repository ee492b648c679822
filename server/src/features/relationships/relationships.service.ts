import type { RelationshipType } from '#contract/relationships.ts'
import type { AppContext } from '#server/context.ts'
import { findRelationshipType, listRelationshipsOf } from './relationships.repository.ts'

/** Who is tied to this person: accepted friends and accepted family, each id once. */
export async function listTies(
  ctx: AppContext,
  userId: string,
): Promise<{ friends: string[]; family: string[] }> {
  const related = await listRelationshipsOf(ctx.db, userId)
  const idsOf = (type: RelationshipType) =>
    related.filter((relation) => relation.type === type).map((relation) => relation.userId)
  return { friends: idsOf('friend'), family: idsOf('family') }
}

/** How two people are tied, undefined for strangers. */
export async function findTie(
  ctx: AppContext,
  one: string,
  other: string,
): Promise<RelationshipType | undefined> {
  return findRelationshipType(ctx.db, one, other)
}
