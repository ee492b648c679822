import { type AppContext, type HookEvents, inBatches, inTransaction } from '#server/context.ts'
import { AppError, notFound } from '#server/errors.ts'
import { isRevealed } from '#server/features/access/access.rules.ts'
import { getEnvelope } from '#server/features/access/envelopes.service.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { lockReaders } from '#server/features/notifications/readers.service.ts'
import { enqueueReminderPushes } from '#server/features/push/push-sending.service.ts'
import { isForeignKeyViolation } from '#server/platform/database/sql-errors.ts'
import { enqueueMails } from '#server/platform/mail/mail-queue.ts'
import {
  claimDueReminders,
  countReminders,
  type DueReminder,
  deleteReminder,
  hasReminder,
  insertReminder,
  listDueReminders,
  lockAccount,
  lockRevealAt,
  type NextMail,
  type ReminderKey,
  updateReminders,
} from './reminders.repository.ts'

const A_DAY_MS = 24 * 3_600_000
/** How many reminders may wait for an address that is not verified: it may be somebody else’s. */
const PENDING_UNVERIFIED = 20
const BATCH_SIZE = 100

/** Whether the actor has a reminder; `not_found` without the envelope. */
export async function isReminded(ctx: AppContext, actor: Actor, id: string): Promise<boolean> {
  return hasReminder(ctx.db, await getReminderKey(ctx, actor, id))
}

/** « Me rappeler »: a second request changes nothing; `revelation_revealed` once it is open. */
export async function setReminder(ctx: AppContext, actor: Actor, id: string): Promise<void> {
  const key = await getReminderKey(ctx, actor, id)
  await inTransaction(ctx, async (tx) => {
    await requireRoom(tx, key)
    const revealAt = await lockRevealAt(tx.db, key.revelationId)
    if (!revealAt) throw notFound()
    const now = tx.now()
    if (isRevealed({ revealAt }, now)) throw alreadyOpen()
    await insertReminder(tx.db, { ...key, ...nextMail(revealAt, now), createdAt: now })
  }).catch((error) => {
    // The account was deleted meanwhile.
    throw isForeignKeyViolation(error) ? notFound() : error
  })
}

/** Deletes the reminder, if there is one. */
export async function removeReminder(ctx: AppContext, actor: Actor, id: string): Promise<void> {
  await deleteReminder(ctx.db, await getReminderKey(ctx, actor, id))
}

async function getReminderKey(ctx: AppContext, actor: Actor, id: string): Promise<ReminderKey> {
  const envelope = await getEnvelope(ctx, { actor, deliveryKey: null }, id)
  return { revelationId: envelope.id, userId: actor.userId }
}

async function requireRoom(tx: AppContext, key: ReminderKey): Promise<void> {
  const account = await lockAccount(tx.db, key.userId)
  if (account?.isVerified || (await hasReminder(tx.db, key))) return
  if ((await countReminders(tx.db, key.userId)) < PENDING_UNVERIFIED) return
  throw new AppError('too_many_requests', {
    message: `Vous avez déjà ${PENDING_UNVERIFIED} rappels en attente. Vérifiez votre adresse pour en demander davantage.`,
  })
}

function alreadyOpen(): AppError {
  return new AppError('revelation_revealed', {
    message: 'Cette révélation est déjà ouverte\u202F: il n’y a plus rien à rappeler',
  })
}

/** The day before, or the instant once less than a day remains. */
function nextMail(revealAt: Date, now: Date): NextMail {
  const dayBefore = new Date(revealAt.getTime() - A_DAY_MS)
  return dayBefore.getTime() > now.getTime()
    ? { stage: 'day_before', dueAt: dayBefore }
    : { stage: 'instant', dueAt: revealAt }
}

/** Whether « bientôt » is true: open within a day, and not yet. */
export function isDayBefore(revealAt: Date, now: Date): boolean {
  const leftMs = revealAt.getTime() - now.getTime()
  return leftMs > 0 && leftMs <= A_DAY_MS
}

/** On `onMoved`: reminders follow the date. */
export async function rescheduleReminders(
  tx: AppContext,
  { revelationId, formerRevealAt, revealAt }: HookEvents['onMoved'],
): Promise<void> {
  if (revealAt.getTime() === formerRevealAt.getTime()) return
  await updateReminders(tx.db, revelationId, nextMail(revealAt, tx.now()))
}

/** The two mails of a reminder. */
export const REMINDER_TEMPLATES: Record<DueReminder['stage'], string> = {
  day_before: 'reminder-day-before',
  instant: 'reminder-instant',
}

/** Queues the mail of every reminder whose time has come, each once. */
export async function enqueueDueReminders(ctx: AppContext): Promise<void> {
  await inBatches(ctx, BATCH_SIZE, enqueueBatch)
}

async function enqueueBatch(tx: AppContext): Promise<number> {
  const now = tx.now()
  const candidates = await listDueReminders(tx.db, now, BATCH_SIZE)
  if (candidates.length === 0) return 0
  await lockReaders(
    tx,
    candidates.map(({ userId }) => userId),
  )
  const due = await claimDueReminders(tx.db, candidates, now)
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
