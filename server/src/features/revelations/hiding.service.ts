import type { AppContext } from '#server/context.ts'
import { tellTiesOfRestored } from '#server/features/notifications/telling.service.ts'
import { tellBrowsersOfReveals } from '#server/features/push/push-telling.service.ts'
import { publishRevelationChanged } from '#server/platform/events/events.ts'
import { clearHidden, setHidden } from './hiding.repository.ts'
import { isRevealed } from './revelations.rules.ts'

/** As long as mails that tell of a reveal may still be on their way. */
const TELLING_MS = 3 * 24 * 3_600_000

/**
 * Takes a revelation out of everybody’s sight but its author’s, and holds its deliveries; false when it is gone or
 * hidden already.
 */
export async function hideRevelation(tx: AppContext, id: string): Promise<boolean> {
  const hidden = await setHidden(tx.db, id, tx.now())
  if (!hidden) return false
  publishRevelationChanged(tx, hidden, 'state')
  return true
}

/** Puts it back as it was, and what was due to its addressee leaves; false when it is gone or not hidden. */
export async function restoreRevelation(tx: AppContext, id: string): Promise<boolean> {
  const restored = await clearHidden(tx.db, id)
  if (!restored) return false
  const { revealAt, hiddenSince } = restored
  const isUntold = hiddenSince.getTime() < revealAt.getTime() + TELLING_MS
  // Whoever was told before is not told again, as long as their mail is remembered.
  if (isUntold && isRevealed(restored, tx.now())) {
    await tellTiesOfRestored(tx, id)
    await tellBrowsersOfReveals(tx, [id])
  }
  publishRevelationChanged(tx, restored, 'state')
  return true
}
