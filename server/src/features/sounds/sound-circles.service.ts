import type { AppContext } from '#server/context.ts'
import { AS_VOICE_AUTHOR, type VoiceRelation } from '#server/features/access/access.rules.ts'
import type { Circle } from '#server/features/relationships/relationships.rules.ts'
import { findRelation } from '#server/features/relationships/relationships.service.ts'
import type { SoundRow } from './sounds.repository.ts'

/** How somebody stands to one sound. */
export async function tieToSound(
  ctx: AppContext,
  userId: string,
  sound: SoundRow,
): Promise<VoiceRelation> {
  if (userId === sound.authorId) return AS_VOICE_AUTHOR
  const relationship = await findRelation(ctx, userId, sound.authorId)
  return { isAuthor: false, isRecipient: userId === sound.recipientId, relationship }
}

/** The same within a circle that was read already. */
export function tieInCircle({ userId, family, friends }: Circle, sound: SoundRow): VoiceRelation {
  if (userId === sound.authorId) return AS_VOICE_AUTHOR
  const { authorId, recipientId } = sound
  const relationship = family.includes(authorId)
    ? 'family'
    : friends.includes(authorId)
      ? 'friend'
      : undefined
  return { isAuthor: false, isRecipient: userId === recipientId, relationship }
}
