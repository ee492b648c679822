import type { AppContext } from '#server/context.ts'
import { isRevealed, pageOf } from '#server/features/access/access.rules.ts'
import { isSuppressed } from '#server/features/mails/mail-preferences.service.ts'
import {
  type ComposedMail,
  type MailTemplate,
  TooEarly,
} from '#server/features/mails/mails.service.ts'
import {
  findEnvelopeFor,
  findReaderOf,
  type Reader,
} from '#server/features/notifications/readers.service.ts'
import type { QueuedMail } from '#server/platform/mail/mail-queue.ts'
import { dayBeforeEmail, instantEmail } from './reminders.emails.ts'
import { findStage } from './reminders.repository.ts'
import { enqueueDueReminders, isDayBefore, REMINDER_TEMPLATES } from './reminders.service.ts'

export const dueRemindersSchedule = {
  name: 'queue-due-reminders',
  everyMs: 5_000,
  run: enqueueDueReminders,
}

/** What the mail is about, if its reader may still see it and their address accepts mails. */
async function findReminded(tx: AppContext, mail: QueuedMail) {
  const reader = await findReaderOf(tx, mail)
  const envelope = reader && (await findEnvelopeFor(tx, reader, mail.subjectId))
  const stops = envelope && (await stopsFor(tx, reader))
  if (!stops) return undefined
  return {
    ...envelope,
    to: reader.email,
    stops,
    pageUrl: pageOf(tx.config.http, envelope.id),
    revelationId: envelope.authorId === reader.userId ? undefined : envelope.id,
  }
}

/**
 * Its reader withdraws a reminder on the page of the revelation. An address that is not verified may be somebody else’s,
 * who can stop everything. A suppressed address gets no reminder either.
 */
async function stopsFor(
  tx: AppContext,
  reader: Reader,
): Promise<ComposedMail['stops'] | undefined> {
  if (!reader.isVerified) return 'everything'
  return (await isSuppressed(tx, reader.email)) ? undefined : 'nothing'
}

/** Whether the date moved away from this mail, or the reminder was withdrawn. */
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
      // Open, or moved further away: another mail is about that.
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
