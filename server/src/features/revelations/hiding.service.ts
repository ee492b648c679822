import { type AppContext, runHooks } from '#server/context.ts'
import { isRevealed } from '#server/features/access/access.rules.ts'
import { publishRevelationChanged } from '#server/platform/pubsub/pubsub.ts'
import { clearHidden, setHidden } from './hiding.repository.ts'

/** As long as mails about a reveal may still be on their way. */
const NEWS_FOR_MS = 3 * 24 * 3_600_000

/**
 * Takes a revelation out of everybody’s sight but its author’s, and suspends its deliveries; false when it is gone or
 * hidden already.
 */
export async function hideRevelation(tx: AppContext, id: string): Promise<boolean> {
  const hidden = await setHidden(tx.db, id, tx.now())
  if (!hidden) return false
  await runHooks(tx, 'onHidden', { revelationId: id })
  publishRevelationChanged(tx, hidden, 'state')
  return true
}

/** Shows it again as it was, and what was due to its recipient leaves; false when it is gone or not hidden. */
export async function restoreRevelation(tx: AppContext, id: string): Promise<boolean> {
  const restored = await clearHidden(tx.db, id)
  if (!restored) return false
  const { revealAt, hiddenSince } = restored
  const wasHiddenEarly = hiddenSince.getTime() < revealAt.getTime() + NEWS_FOR_MS
  // Nobody is notified twice, as long as their mail is remembered.
  const isNews = wasHiddenEarly && isRevealed(restored, tx.now())
  await runHooks(tx, 'onRestored', { revelationId: id, isNews })
  publishRevelationChanged(tx, restored, 'state')
  return true
}
