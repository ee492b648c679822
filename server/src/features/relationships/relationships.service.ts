import { type AppContext, inTransaction } from '#server/context.ts'
import { AppError, fieldError, notFound } from '#server/errors.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { isForeignKeyViolation } from '#server/platform/database/sql-errors.ts'
import { publishRelationshipsChanged } from '#server/platform/pubsub/pubsub.ts'
import {
  deleteBlock,
  deleteRelationship,
  type FoundPerson,
  findPerson,
  findRelationBetween,
  findRelationship,
  findRelationshipBetween,
  insertBlock,
  isBlockedBy,
  listBlockedBy,
  listBlocksAround,
  listPairsOf,
  listRelationsBetween,
  listRelationshipsOf,
  listRelationsOf,
  lockPair,
  lockPairsOf,
  type PersonRow,
  type RelationshipRow,
} from './relationships.repository.ts'
import type { Circle, RelatedIds, Relation } from './relationships.rules.ts'
import { deleteRequest, findRequestBetween, type RequestRow } from './requests.repository.ts'

export async function listRelatedIds(ctx: AppContext, userId: string): Promise<RelatedIds> {
  const ties = await listRelationsOf(ctx.db, userId)
  const idsOf = (tie: Relation) =>
    ties.filter((person) => person.tie === tie).map((person) => person.userId)
  return { friends: idsOf('friend'), family: idsOf('family'), blocked: idsOf('blocked') }
}

/** The family and friends of a person without those whom a block of either side hides, who are listed apart. */
export async function circleOf(ctx: AppContext, userId: string): Promise<Circle> {
  const { family, friends, blocked } = await listRelatedIds(ctx, userId)
  const isShown = (id: string) => !blocked.includes(id)
  return { userId, family: family.filter(isShown), friends: friends.filter(isShown), blocked }
}

/**
 * The people whose words this viewer does not see under a revelation of this author: a block hides them from one of the
 * two. An author who blocks somebody thus hides them from everybody there; one’s own words stay visible.
 */
export async function listHiddenUnder(
  ctx: AppContext,
  authorId: string,
  viewerId: string | null,
): Promise<string[]> {
  const hidden = await listBlocksAround(ctx.db, viewerId ? [authorId, viewerId] : [authorId])
  return hidden.filter((id) => id !== viewerId)
}

/** The account and those whom a block hides from it: what they leave under its letters is neither news nor counted. */
export async function listSelfAndHidden(ctx: AppContext, userId: string): Promise<string[]> {
  return [userId, ...(await listHiddenUnder(ctx, userId, userId))]
}

/** The relation of two people, undefined for strangers. */
export async function findRelation(
  ctx: AppContext,
  one: string,
  other: string,
): Promise<Relation | undefined> {
  return findRelationBetween(ctx.db, one, other)
}

/** The relations of each of these people with each of the others, in one query. */
export async function relationsBetween(
  ctx: AppContext,
  people: readonly string[],
  others: readonly string[],
): Promise<(one: string, other: string) => Relation | undefined> {
  const ties = new Map<string, Relation>()
  for (const { one, other, tie } of await listRelationsBetween(ctx.db, { people, others })) {
    const pair = `${one}/${other}`
    // A block prevails.
    if (ties.get(pair) !== 'blocked') ties.set(pair, tie)
  }
  return (one, other) => ties.get(`${one}/${other}`)
}

/** Everybody with a relationship, a request or a block with this person; `lock` locks all these pairs. */
export async function listRelated(
  tx: AppContext,
  userId: string,
  { lock }: { lock: boolean },
): Promise<string[]> {
  return lock ? lockPairsOf(tx.db, userId) : listPairsOf(tx.db, userId)
}

/** The relationship of two people, and the request that waits between them. */
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
 * Changes the relation of two people under the lock of their pair; `not_found` for somebody whose account ends
 * meanwhile.
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

/** The same for an unknown person and for one whom a block or an operator hides. */
export function personNotFound(): AppError {
  return new AppError('not_found', { message: 'Cette personne est introuvable' })
}

/** A person whom no block hides from the actor; `not_found`. */
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

export async function listBlocks(ctx: AppContext, actor: Actor) {
  return listBlockedBy(ctx.db, actor.userId)
}

/**
 * Hides two people from each other and ends their relationship or request. A second block changes nothing; `not_found` for
 * an unknown person and for one who blocked the actor.
 */
export async function blockPerson(ctx: AppContext, actor: Actor, userId: string): Promise<void> {
  if (userId === actor.userId) {
    throw fieldError('userId', 'Vous ne pouvez pas vous bloquer vous-même')
  }
  await changePair(ctx, actor.userId, userId, async (tx) => {
    if (await isBlockedBy(tx.db, actor.userId, userId)) return
    await getPerson(tx, actor, userId)
    const [relationship, request] = [
      await findRelationshipBetween(tx.db, actor.userId, userId),
      await findRequestBetween(tx.db, actor.userId, userId),
    ]
    if (relationship) await deleteRelationship(tx.db, relationship.id)
    if (request) await deleteRequest(tx.db, request.id)
    await insertBlock(tx.db, {
      blockerId: actor.userId,
      blockedId: userId,
      createdAt: tx.now(),
    })
    publishRelationshipsChanged(tx, [actor.userId, userId])
  })
}

/** Ends a block; the answer is the same without one. */
export async function unblockPerson(ctx: AppContext, actor: Actor, userId: string): Promise<void> {
  await changePair(ctx, actor.userId, userId, async (tx) => {
    if (!(await deleteBlock(tx.db, actor.userId, userId))) return
    publishRelationshipsChanged(tx, [actor.userId, userId])
  })
}
