import { type AppContext, type HookEvents, inBatches, inTransaction } from '#server/context.ts'
import { AppError, notFound } from '#server/errors.ts'
import { isRevealed } from '#server/features/access/access.rules.ts'
import { getEnvelope } from '#server/features/access/envelopes.service.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { keepReaders } from '#server/features/notifications/readers.service.ts'
import { enqueueReminderPushes } from '#server/features/push/push-sending.service.ts'
import { isForeignKeyViolation } from '#server/platform/database/sql-errors.ts'
import { enqueueMails } from '#server/platform/mail/mail-queue.ts'
import {
  countReminders,
  type DueReminder,
  deleteReminder,
  findReminder,
  holdRevealAt,
  insertReminder,
  listDueReminders,
  lockAsker,
  moveRemindersOf,
  takeDueReminders,
} from './reminders.repository.ts'
import { nextReminder } from './reminders.rules.ts'

/** An address nobody proved may be somebody else’s: it is written to this often. */
const PENDING_UNVERIFIED = 20
const BATCH_SIZE = 100

/** Whether the actor asked to be reminded; `not_found` without the envelope. */
export async function isReminded(ctx: AppContext, actor: Actor, id: string): Promise<boolean> {
  const whose = await whoseReminder(ctx, actor, id)
  return findReminder(ctx.db, whose)
}

/** « Me rappeler »: again changes nothing; `revelation_revealed` once it is open. */
export async function setReminder(ctx: AppContext, actor: Actor, id: string): Promise<void> {
  const whose = await whoseReminder(ctx, actor, id)
  await inTransaction(ctx, async (tx) => {
    await requireRoom(tx, whose)
    const revealAt = await holdRevealAt(tx.db, whose.revelationId)
    if (!revealAt) throw notFound()
    const now = tx.now()
    if (isRevealed({ revealAt }, now)) throw alreadyOpen()
    await insertReminder(tx.db, { ...whose, ...nextReminder(revealAt, now), createdAt: now })
  }).catch((error) => {
    // The account ended meanwhile.
    throw isForeignKeyViolation(error) ? notFound() : error
  })
}

/** None there is fine. */
export async function removeReminder(ctx: AppContext, actor: Actor, id: string): Promise<void> {
  const whose = await whoseReminder(ctx, actor, id)
  await deleteReminder(ctx.db, whose)
}

async function whoseReminder(ctx: AppContext, actor: Actor, id: string) {
  const envelope = await getEnvelope(ctx, { actor, deliveryKey: null }, id)
  return { revelationId: envelope.id, userId: actor.userId }
}

async function requireRoom(
  tx: AppContext,
  whose: { revelationId: string; userId: string },
): Promise<void> {
  const asker = await lockAsker(tx.db, whose.userId)
  if (asker?.isVerified || (await findReminder(tx.db, whose))) return
  if ((await countReminders(tx.db, whose.userId)) < PENDING_UNVERIFIED) return
  throw new AppError('too_many_requests', {
    message: `Vous avez déjà ${PENDING_UNVERIFIED} rappels en attente. Vérifiez votre adresse pour en demander davantage.`,
  })
}

function alreadyOpen(): AppError {
  return new AppError('revelation_revealed', {
    message: 'Cette révélation est déjà ouverte\u00A0: il n’y a plus rien à rappeler',
  })
}

/** On `onMoved`: reminders follow the date. */
export async function rescheduleReminders(
  tx: AppContext,
  { revelationId, formerRevealAt, revealAt }: HookEvents['onMoved'],
): Promise<void> {
  if (revealAt.getTime() === formerRevealAt.getTime()) return
  await moveRemindersOf(tx.db, revelationId, nextReminder(revealAt, tx.now()))
}

/** The two mails of a reminder. */
export const REMINDER_TEMPLATES: Record<DueReminder['stage'], string> = {
  day_before: 'reminder-day-before',
  instant: 'reminder-instant',
}

/** Queues the mail of every reminder whose time has come, each once. */
export async function queueDueReminders(ctx: AppContext): Promise<void> {
  await inBatches(ctx, BATCH_SIZE, queueBatch)
}

async function queueBatch(tx: AppContext): Promise<number> {
  const now = tx.now()
  const candidates = await listDueReminders(tx.db, now, BATCH_SIZE)
  if (candidates.length === 0) return 0
  await keepReaders(
    tx,
    candidates.map(({ userId }) => userId),
  )
  const due = await takeDueReminders(tx.db, candidates, now)
  for (const stage of ['day_before', 'instant'] as const) {
    const mails = due
      .filter((reminder) => reminder.stage === stage)
      .map(({ revelationId, userId }) => ({ subjectId: revelationId, recipientId: userId }))
    await enqueueMails(tx, REMINDER_TEMPLATES[stage], mails)
  }
  await enqueueReminderPushes(
    tx,
    due.filter(({ stage }) => stage === 'instant'),
  )
  return due.length
}
