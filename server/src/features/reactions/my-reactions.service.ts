import { EMOJIS, type Emoji } from '#contract/reactions.ts'
import type { AppContext } from '#server/context.ts'
import { listReactionsBy } from './reactions.repository.ts'

/** What this person left under each of these revelations, in the order the emoji stand in. */
export async function myReactions(
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
