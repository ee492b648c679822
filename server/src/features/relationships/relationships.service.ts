import { type AppContext, inTransaction } from '#server/context.ts'
import { AppError, notFound } from '#server/errors.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { isForeignKeyViolation } from '#server/platform/database/sql-errors.ts'
import { publishRelationshipsChanged } from '#server/platform/pubsub/pubsub.ts'
import {
  deleteRelationship,
  type FoundPerson,
  findPerson,
  findRelationBetween,
  findRelationship,
  findRelationshipBetween,
  listRelationshipsOf,
  listRelationsOf,
  lockPair,
  type PersonRow,
  type RelationshipRow,
} from './relationships.repository.ts'
import type { Circle, RelatedIds, Relation } from './relationships.rules.ts'
import { findRequestBetween, type RequestRow } from './requests.repository.ts'

export async function listRelatedIds(ctx: AppContext, userId: string): Promise<RelatedIds> {
  const ties = await listRelationsOf(ctx.db, userId)
  const idsOf = (tie: Relation) =>
    ties.filter((person) => person.tie === tie).map((person) => person.userId)
  return { friends: idsOf('friend'), family: idsOf('family'), blocked: idsOf('blocked') }
}

/** The people of whom one may hear, and whom a block hides; a block takes from both sides. */
export async function circleOf(ctx: AppContext, userId: string): Promise<Circle> {
  const { family, friends, blocked } = await listRelatedIds(ctx, userId)
  const isShown = (id: string) => !blocked.includes(id)
  return { userId, family: family.filter(isShown), friends: friends.filter(isShown), blocked }
}

/**
 * Whose words this viewer does not see under something of this author: theirs whom a block hides from either of the two.
 * So an author who blocks somebody rids everybody of them there; one’s own words stay in sight.
 */
export async function listHiddenUnder(
  ctx: AppContext,
  authorId: string,
  viewerId: string | null,
): Promise<string[]> {
  const people = [...new Set([authorId, viewerId ?? authorId])]
  const ties = await Promise.all(people.map((userId) => listRelatedIds(ctx, userId)))
  const hidden = new Set(ties.flatMap(({ blocked }) => blocked))
  if (viewerId) hidden.delete(viewerId)
  return [...hidden]
}

/** How two people are tied, undefined for strangers. */
export async function findRelation(
  ctx: AppContext,
  one: string,
  other: string,
): Promise<Relation | undefined> {
  return findRelationBetween(ctx.db, one, other)
}

/** What ties two people or waits between them. */
export async function findStanding(
  ctx: AppContext,
  one: string,
  other: string,
): Promise<{ relationship: RelationshipRow | undefined; request: RequestRow | undefined }> {
  const [relationship, request] = await Promise.all([
    findRelationshipBetween(ctx.db, one, other),
    findRequestBetween(ctx.db, one, other),
  ])
  return { relationship, request }
}

/**
 * Changes what ties two people while nobody else does. Somebody whose account ends meanwhile is not found, like
 * anybody else who does not exist.
 */
export async function changePair<T>(
  ctx: AppContext,
  one: string,
  other: string,
  change: (tx: AppContext) => Promise<T>,
): Promise<T> {
  try {
    return await inTransaction(ctx, async (tx) => {
      await lockPair(tx.db, one, other)
      return change(tx)
    })
  } catch (error) {
    throw isForeignKeyViolation(error) ? personNotFound() : error
  }
}

/** The same for who does not exist and for who is hidden by a block or an operator. */
export function personNotFound(): AppError {
  return new AppError('not_found', { message: 'Cette personne est introuvable' })
}

/** Somebody the actor may see. */
export async function getPerson(
  tx: AppContext,
  actor: Actor,
  userId: string,
): Promise<FoundPerson> {
  const person = await findPerson(tx.db, userId)
  if (!person) throw personNotFound()
  if ((await findRelationBetween(tx.db, actor.userId, userId)) === 'blocked') throw personNotFound()
  return person
}

export async function listRelationships(
  ctx: AppContext,
  actor: Actor,
): Promise<(RelationshipRow & { person: PersonRow })[]> {
  return listRelationshipsOf(ctx.db, actor.userId)
}

/** Ends a relationship for both; anybody else’s is `not_found`. */
export async function endRelationship(ctx: AppContext, actor: Actor, id: string): Promise<void> {
  const found = await findRelationship(ctx.db, id)
  const pair = found ? [found.lowUserId, found.highUserId] : []
  if (!found || !pair.includes(actor.userId)) throw notFound()
  await changePair(ctx, found.lowUserId, found.highUserId, async (tx) => {
    if (!(await deleteRelationship(tx.db, id))) throw notFound()
    publishRelationshipsChanged(tx, pair)
  })
}
