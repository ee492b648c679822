import type { AppContext } from '#server/context.ts'
import { findFeedOf, setFeedEnded } from './feeds.repository.ts'

/**
 * Ends the address of a person’s calendar with what signs them out everywhere: whoever held it reads nothing more. False when
 * there was none, or it had ended already. The account must be locked.
 */
export async function endFeed(tx: AppContext, userId: string): Promise<boolean> {
  return setFeedEnded(tx.db, userId, tx.now())
}

/** Whether a person’s address was ended so, and none was made since. */
export async function isFeedEnded(ctx: AppContext, userId: string): Promise<boolean> {
  const feed = await findFeedOf(ctx.db, userId)
  return feed !== undefined && feed.endedAt !== null
}
