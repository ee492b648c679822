import type { AppContext } from '#server/context.ts'
import type { Circle } from '#server/features/relationships/relationships.rules.ts'
import { findTie } from '#server/features/relationships/relationships.service.ts'
import type { SoundRow } from './sounds.repository.ts'
import { AS_AUTHOR, type SoundTie } from './sounds.rules.ts'

/** How somebody stands to one sound. */
export async function tieToSound(
  ctx: AppContext,
  userId: string,
  sound: SoundRow,
): Promise<SoundTie> {
  if (userId === sound.authorId) return AS_AUTHOR
  const relationship = await findTie(ctx, userId, sound.authorId)
  return { isAuthor: false, isRecipient: userId === sound.recipientId, relationship }
}

/** The same within a circle that was read already. */
export function tieInCircle({ userId, family, friends }: Circle, sound: SoundRow): SoundTie {
  if (userId === sound.authorId) return AS_AUTHOR
  const { authorId, recipientId } = sound
  const relationship = family.includes(authorId)
    ? 'family'
    : friends.includes(authorId)
      ? 'friend'
      : undefined
  return { isAuthor: false, isRecipient: userId === recipientId, relationship }
}
