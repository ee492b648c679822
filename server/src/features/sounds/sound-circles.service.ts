import type { AppContext } from '#server/context.ts'
import { findTie, listTies } from '#server/features/relationships/relationships.service.ts'
import type { Circle } from './sound-lists.repository.ts'
import type { SoundRow } from './sounds.repository.ts'
import { AS_AUTHOR, type SoundTie } from './sounds.rules.ts'

/** Whose sounds this person may know of; a block takes from both. */
export async function circleOf(ctx: AppContext, userId: string): Promise<Circle> {
  const { family, friends, blocked } = await listTies(ctx, userId)
  const isShown = (id: string) => !blocked.includes(id)
  return { userId, family: family.filter(isShown), friends: friends.filter(isShown) }
}

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
