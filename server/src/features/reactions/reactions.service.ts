import { EMOJIS, type Emoji, type Reactions } from '#contract/reactions.ts'
import type { AppContext } from '#server/context.ts'
import { notFound } from '#server/errors.ts'
import { type EnvelopeRow, getEnvelope } from '#server/features/access/envelopes.service.ts'
import type { SignedInViewer, Viewer } from '#server/features/access/viewers.service.ts'
import { listHiddenUnder } from '#server/features/relationships/relationships.service.ts'
import { isForeignKeyViolation } from '#server/platform/database/sql-errors.ts'
import {
  publishNotificationsChanged,
  publishRevelationChanged,
} from '#server/platform/pubsub/pubsub.ts'
import {
  countByEmoji,
  deleteReactions,
  insertReaction,
  listLatestReactions,
} from './reactions.repository.ts'

/** The reactions to a revelation that the viewer may see, without those that a block hides from them. */
export async function listReactions(
  ctx: AppContext,
  viewer: Viewer,
  revelationId: string,
): Promise<Reactions> {
  const envelope = await getEnvelope(ctx, viewer, revelationId)
  return presentReactions(ctx, viewer, envelope, await listHidden(ctx, viewer, envelope))
}

/** The people whose reactions this viewer does not see. */
function listHidden(ctx: AppContext, { actor }: Viewer, { authorId }: EnvelopeRow) {
  return listHiddenUnder(ctx, authorId, actor?.userId ?? null)
}

async function presentReactions(
  ctx: AppContext,
  viewer: Viewer,
  { id: revelationId }: EnvelopeRow,
  hidden: readonly string[],
): Promise<Reactions> {
  const viewerId = viewer.actor?.userId ?? null
  const [latest, counts] = await Promise.all([
    listLatestReactions(ctx.db, { revelationId, hidden }),
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

/** Adds a reaction; the same again changes nothing. */
export async function addReaction(
  ctx: AppContext,
  viewer: SignedInViewer,
  revelationId: string,
  emoji: Emoji,
): Promise<Reactions> {
  const envelope = await getEnvelope(ctx, viewer, revelationId)
  const reaction = { revelationId, authorId: viewer.actor.userId, emoji, createdAt: ctx.now() }
  const insert = async () => {
    const added = await insertReaction(ctx.db, reaction).catch((error) => {
      // The revelation was deleted meanwhile.
      throw isForeignKeyViolation(error) ? notFound() : error
    })
    if (added) publishRevelationChanged(ctx, envelope, 'reactions')
    if (added?.isNews) publishNotificationsChanged(ctx, [envelope.authorId])
  }
  const [hidden] = await Promise.all([listHidden(ctx, viewer, envelope), insert()])
  return presentReactions(ctx, viewer, envelope, hidden)
}

/** Deletes one of the viewer’s reactions, or all of them, if there are any. */
export async function removeReactions(
  ctx: AppContext,
  viewer: SignedInViewer,
  revelationId: string,
  emoji: Emoji | undefined,
): Promise<Reactions> {
  const envelope = await getEnvelope(ctx, viewer, revelationId)
  const own = { revelationId, authorId: viewer.actor.userId }
  const remove = async () => {
    const isDeleted = await deleteReactions(ctx.db, own, emoji ? [emoji] : EMOJIS)
    if (isDeleted) publishRevelationChanged(ctx, envelope, 'reactions')
  }
  const [hidden] = await Promise.all([listHidden(ctx, viewer, envelope), remove()])
  return presentReactions(ctx, viewer, envelope, hidden)
}
