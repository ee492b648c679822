import type { AppContext } from '#server/context.ts'
import { isRevealed, pageOf } from '#server/features/access/access.rules.ts'
import { isSuppressed } from '#server/features/mails/mail-preferences.service.ts'
import {
  type ComposedMail,
  type MailTemplate,
  TooEarly,
} from '#server/features/mails/mails.service.ts'
import {
  findSeenBy,
  getReader,
  type Reader,
} from '#server/features/notifications/readers.service.ts'
import type { QueuedMail } from '#server/platform/mail/mail-queue.ts'
import { dayBeforeEmail, instantEmail } from './reminders.emails.ts'
import { findStage } from './reminders.repository.ts'
import { isDayBefore } from './reminders.rules.ts'
import { queueDueReminders, REMINDER_TEMPLATES } from './reminders.service.ts'

export const dueRemindersSchedule = {
  name: 'queue-due-reminders',
  everyMs: 5_000,
  run: queueDueReminders,
}

/** What the reader asked for, as far as they may still see it. */
async function findReminded(tx: AppContext, mail: QueuedMail) {
  const reader = await getReader(tx, mail.recipientId)
  const seen = reader && (await findSeenBy(tx, reader, mail.subjectId))
  const stops = seen && (await stopsFor(tx, reader))
  if (!stops) return undefined
  return {
    ...seen,
    to: reader.email,
    stops,
    pageUrl: pageOf(tx.config.http, seen.id),
    revelationId: seen.authorId === reader.userId ? undefined : seen.id,
  }
}

/**
 * A reminder is taken back on the page of its revelation, by whoever asked for it. Whoever reads an address that nobody
 * proved may be somebody else: they can stop everything. An address that takes no mails gets none of these either.
 */
async function stopsFor(
  tx: AppContext,
  reader: Reader,
): Promise<ComposedMail['stops'] | undefined> {
  if (!reader.isVerified) return 'everything'
  return (await isSuppressed(tx, reader.email)) ? undefined : 'nothing'
}

/** Whether this mail was queued for a date that is no longer the date; also when the reminder was taken back. */
async function isOutdated(tx: AppContext, mail: QueuedMail): Promise<boolean> {
  const { recipientId, subjectId } = mail
  if (recipientId === null) return true
  const stage = await findStage(tx.db, { revelationId: subjectId, userId: recipientId })
  return stage !== 'instant'
}

export const reminderMails: readonly MailTemplate[] = [
  {
    name: REMINDER_TEMPLATES.day_before,
    compose: async (tx, mail) => {
      const facts = await findReminded(tx, mail)
      if (!facts) return undefined
      if (isDayBefore(facts.revealAt, tx.now())) return dayBeforeEmail(facts)
      // Moved further away since, or open: another mail tells that.
      if (isRevealed(facts, tx.now()) || (await isOutdated(tx, mail))) return undefined
      throw new TooEarly()
    },
  },
  {
    name: REMINDER_TEMPLATES.instant,
    compose: async (tx, mail) => {
      const facts = await findReminded(tx, mail)
      if (!facts) return undefined
      if (!isRevealed(facts, tx.now())) throw new TooEarly()
      return instantEmail(facts)
    },
  },
]
