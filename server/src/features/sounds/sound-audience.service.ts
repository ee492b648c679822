import type { AppContext } from '#server/context.ts'
import { isRevealed } from '#server/features/access/access.rules.ts'
import { circleOf } from '#server/features/relationships/relationships.service.ts'
import { listSoundsWith, type SoundRow } from './sounds.repository.ts'

/** Whose pages show a sound: its author’s, and those of whoever may know of it. */
export async function audienceOf(
  ctx: AppContext,
  sound: Pick<SoundRow, 'authorId' | 'recipientId' | 'isShared'>,
): Promise<string[]> {
  const { authorId, recipientId, isShared } = sound
  const { family, friends } = await circleOf(ctx, authorId)
  if (isShared) return [authorId, ...family]
  const isTied = recipientId !== null && [...family, ...friends].includes(recipientId)
  return isTied ? [authorId, recipientId] : [authorId]
}

/**
 * Who hears that something was made of these files. Of what is sealed only its author does: how long its making took
 * would tell others how long it lasts.
 */
export async function audienceOfFiles(
  ctx: AppContext,
  mediaIds: readonly string[],
): Promise<Set<string>> {
  const now = ctx.now()
  const heard = new Set<string>()
  for (const sound of await listSoundsWith(ctx.db, mediaIds)) {
    const people = isRevealed(sound, now) ? await audienceOf(ctx, sound) : [sound.authorId]
    for (const userId of people) heard.add(userId)
  }
  return heard
}
