import type { AppContext } from '#server/context.ts'
import { fieldError } from '#server/errors.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { publishRelationshipsChanged } from '#server/platform/pubsub/pubsub.ts'
import { deleteBlock, insertBlock, isBlockedBy, listBlockedBy } from './blocks.repository.ts'
import { deleteRelationship, findRelationshipBetween } from './relationships.repository.ts'
import { changePair, getPerson } from './relationships.service.ts'
import { deleteRequest, findRequestBetween } from './requests.repository.ts'

export async function listBlocks(ctx: AppContext, actor: Actor) {
  return listBlockedBy(ctx.db, actor.userId)
}

/**
 * Hides two people from each other and ends what tied them or waited between them. Blocked already is fine; who
 * does not exist, or has blocked the actor, is `not_found`.
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

/** Lets two people see each other again; nothing tells whether there was a block. */
export async function unblockPerson(ctx: AppContext, actor: Actor, userId: string): Promise<void> {
  await changePair(ctx, actor.userId, userId, async (tx) => {
    if (!(await deleteBlock(tx.db, actor.userId, userId))) return
    publishRelationshipsChanged(tx, [actor.userId, userId])
  })
}
