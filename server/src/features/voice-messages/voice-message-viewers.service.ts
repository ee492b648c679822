import type { AppContext } from '#server/context.ts'
import { notFound } from '#server/errors.ts'
import {
  AS_VOICE_AUTHOR,
  canViewVoice,
  isRevealed,
  type VoiceRelation,
} from '#server/features/access/access.rules.ts'
import { grantListener } from '#server/features/access/grants.service.ts'
import type { MediaGate } from '#server/features/access/media-gate.service.ts'
import { findActorBySession } from '#server/features/auth/auth.service.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import type { Circle } from '#server/features/relationships/relationships.rules.ts'
import { circleOf, findRelation } from '#server/features/relationships/relationships.service.ts'
import {
  findVoiceMessage,
  listVoiceMessagesWith,
  type VoiceMessageRow,
} from './voice-messages.repository.ts'

/** A voice message and the relation of a viewer to it. */
export interface RelatedVoiceMessage {
  voiceMessage: VoiceMessageRow
  relation: VoiceRelation
}

/** The voice message if the actor may see it; a hidden one is `not_found`, as a missing one is. */
export async function requireVoiceMessage(
  ctx: AppContext,
  actor: Actor,
  id: string,
): Promise<RelatedVoiceMessage> {
  const voiceMessage = await findVoiceMessage(ctx.db, id, actor.userId)
  if (!voiceMessage) throw notFound()
  const relation = await relationTo(ctx, actor.userId, voiceMessage)
  if (!canViewVoice(relation, voiceMessage)) throw notFound()
  return { voiceMessage, relation }
}

export async function relationTo(
  ctx: AppContext,
  userId: string,
  { authorId, recipientId }: VoiceMessageRow,
): Promise<VoiceRelation> {
  if (userId === authorId) return AS_VOICE_AUTHOR
  const relationship = await findRelation(ctx, userId, authorId)
  return { isAuthor: false, isRecipient: userId === recipientId, relationship }
}

/** The relation of a person whose circle is loaded already. */
export function relationInCircle(
  { userId, family, friends }: Circle,
  { authorId, recipientId }: VoiceMessageRow,
): VoiceRelation {
  if (userId === authorId) return AS_VOICE_AUTHOR
  const relationship = family.includes(authorId)
    ? 'family'
    : friends.includes(authorId)
      ? 'friend'
      : undefined
  return { isAuthor: false, isRecipient: userId === recipientId, relationship }
}

/** Whether the holder of a ticket may have the file of a voice message now. No part of it shows with the envelope. */
export const voiceMessageGate: MediaGate = async (ctx, { mediaId, holder }) => {
  const [voiceMessage] = await listVoiceMessagesWith(ctx.db, [mediaId])
  if (!voiceMessage) return undefined
  const sessionId = /^session:(.+)$/.exec(holder)?.[1]
  const actor = sessionId ? await findActorBySession(ctx, sessionId) : undefined
  if (!actor) return { isAllowed: false }
  const relation = await relationTo(ctx, actor.userId, voiceMessage)
  const right = grantListener(relation, voiceMessage, ctx.now())
  return { isAllowed: right !== undefined, right }
}

/** The people whose pages show a voice message: its author and everybody who may see it. */
export async function audienceOf(
  ctx: AppContext,
  voiceMessage: Pick<VoiceMessageRow, 'authorId' | 'recipientId' | 'isShared'>,
): Promise<string[]> {
  const { authorId, recipientId, isShared } = voiceMessage
  const { family, friends } = await circleOf(ctx, authorId)
  if (isShared) return [authorId, ...family]
  const isReachable = recipientId !== null && [...family, ...friends].includes(recipientId)
  return isReachable ? [authorId, recipientId] : [authorId]
}

/**
 * The people whose pages learn that a variant of these files was rendered. Of a sealed one only its author does: the time
 * it took would show others its length.
 */
export async function audienceOfFiles(
  ctx: AppContext,
  mediaIds: readonly string[],
): Promise<Set<string>> {
  const now = ctx.now()
  const audience = new Set<string>()
  for (const voiceMessage of await listVoiceMessagesWith(ctx.db, mediaIds)) {
    const people = isRevealed(voiceMessage, now)
      ? await audienceOf(ctx, voiceMessage)
      : [voiceMessage.authorId]
    for (const userId of people) audience.add(userId)
  }
  return audience
}
