import type { AppContext } from '#server/context.ts'
import { sendPushJob, tellBrowsers } from './push.jobs.ts'
import { hasAnySubscription, insertReminders, insertReveals } from './pushes.repository.ts'

/**
 * The browsers of whoever these are for hear that they are open; to be called in the transaction that queues their
 * deliveries, or that shows one again. Said twice, it tells nobody twice.
 */
export async function tellBrowsersOfReveals(
  tx: AppContext,
  revelationIds: readonly string[],
): Promise<void> {
  if (revelationIds.length === 0 || !(await isAnybodyTold(tx))) return
  await tx.jobs.enqueue(tellBrowsers, { revelationIds: [...new Set(revelationIds)] })
}

/** The browsers of those who asked hear that it is open; to be called in the transaction that queues their mail. */
export async function remindBrowsers(
  tx: AppContext,
  reminders: readonly { revelationId: string; userId: string }[],
): Promise<void> {
  if (reminders.length === 0 || !(await isAnybodyTold(tx))) return
  await sendAll(tx, await insertReminders(tx.db, reminders, tx.now()))
}

/** Queues a message for each browser; to be called in a transaction. */
export async function queueReveals(
  tx: AppContext,
  revelationIds: readonly string[],
): Promise<void> {
  await sendAll(tx, await insertReveals(tx.db, revelationIds, tx.now()))
}

async function isAnybodyTold({ config, db }: AppContext): Promise<boolean> {
  return config.push.isOn && (await hasAnySubscription(db))
}

async function sendAll(tx: AppContext, pushIds: readonly string[]): Promise<void> {
  await tx.jobs.enqueueAll(
    sendPushJob,
    pushIds.map((pushId) => ({ pushId })),
  )
}
