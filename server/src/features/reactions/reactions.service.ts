import { EMOJIS, type Emoji, type Reactions } from '#contract/reactions.ts'
import type { AppContext } from '#server/context.ts'
import { notFound } from '#server/errors.ts'
import { getEnvelope } from '#server/features/access/envelopes.service.ts'
import type { Viewer } from '#server/features/access/viewers.service.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { listHiddenUnder } from '#server/features/relationships/relationships.service.ts'
import { isForeignKeyViolation } from '#server/platform/database/sql-errors.ts'
import { publishRevelationChanged } from '#server/platform/pubsub/pubsub.ts'
import {
  countByEmoji,
  deleteReactions,
  insertReaction,
  listLatestReactions,
  listReactionsBy,
} from './reactions.repository.ts'

const LATEST = 100

/** Somebody who may react: only with an account. */
export interface Reactor extends Viewer {
  actor: Actor
}

/** Who reacted how, as far as this viewer sees those who did; `not_found` without the envelope. */
export async function listReactions(
  ctx: AppContext,
  viewer: Viewer,
  revelationId: string,
): Promise<Reactions> {
  const envelope = await getEnvelope(ctx, viewer, revelationId)
  return reactionsSeenBy(ctx, viewer.actor, envelope)
}

async function reactionsSeenBy(
  ctx: AppContext,
  actor: Actor | null,
  { id: revelationId, authorId }: { id: string; authorId: string },
): Promise<Reactions> {
  const viewerId = actor?.userId ?? null
  const hidden = await listHiddenUnder(ctx, authorId, viewerId)
  const [latest, counts] = await Promise.all([
    listLatestReactions(ctx.db, { revelationId, hidden }, LATEST),
    countByEmoji(ctx.db, { revelationId, viewerId, hidden }),
  ])
  return {
    reactions: latest.map(({ emoji, authorId, pseudo }) => ({
      revelation_id: revelationId,
      emoji,
      author_id: authorId,
      author_pseudo: pseudo,
    })),
    summary: counts.sort((one, other) => EMOJIS.indexOf(one.emoji) - EMOJIS.indexOf(other.emoji)),
  }
}

/** Leaves an emoji; one that is there already stays as it is. */
export async function addReaction(
  ctx: AppContext,
  reactor: Reactor,
  revelationId: string,
  emoji: Emoji,
): Promise<Reactions> {
  const envelope = await getEnvelope(ctx, reactor, revelationId)
  const { actor } = reactor
  const reaction = { revelationId, authorId: actor.userId, emoji, createdAt: ctx.now() }
  const isNew = await insertReaction(ctx.db, reaction).catch((error) => {
    // Deleted while it was being reacted to.
    throw isForeignKeyViolation(error) ? notFound() : error
  })
  if (isNew) publishRevelationChanged(ctx, envelope, 'reactions')
  return reactionsSeenBy(ctx, actor, envelope)
}

/** Takes back one of the actor’s emoji, or all of them; none there is fine. */
export async function removeReactions(
  ctx: AppContext,
  reactor: Reactor,
  revelationId: string,
  emoji: Emoji | undefined,
): Promise<Reactions> {
  const envelope = await getEnvelope(ctx, reactor, revelationId)
  const { actor } = reactor
  const mine = { revelationId, authorId: actor.userId }
  const wasThere = await deleteReactions(ctx.db, mine, emoji ? [emoji] : EMOJIS)
  if (wasThere) publishRevelationChanged(ctx, envelope, 'reactions')
  return reactionsSeenBy(ctx, actor, envelope)
}

/** What this person left under each of these revelations, in the order of the emoji. */
export async function listReactionsOf(
  ctx: AppContext,
  userId: string,
  revelationIds: readonly string[],
): Promise<Map<string, Emoji[]>> {
  const found = new Map<string, Emoji[]>()
  if (revelationIds.length === 0) return found
  for (const { revelationId, emoji } of await listReactionsBy(ctx.db, userId, revelationIds)) {
    found.set(revelationId, [...(found.get(revelationId) ?? []), emoji])
  }
  for (const mine of found.values()) mine.sort((a, b) => EMOJIS.indexOf(a) - EMOJIS.indexOf(b))
  return found
}
