import type { AppContext } from '#server/context.ts'
import { moveRemindersOf } from './reminders.repository.ts'
import { nextReminder } from './reminders.rules.ts'

/** Reminders follow the date; to be called in the transaction that moves it. */
export async function moveReminders(
  tx: AppContext,
  revelationId: string,
  revealAt: Date,
): Promise<void> {
  await moveRemindersOf(tx.db, revelationId, nextReminder(revealAt, tx.now()))
}
