import type { Preference } from '#contract/subscriptions.ts'
import type { AppContext } from '#server/context.ts'
import { isRevealed, pageOf } from '#server/features/access/access.rules.ts'
import { getPreferences } from '#server/features/mails/mail-preferences.service.ts'
import {
  type ComposedMail,
  type MailTemplate,
  TooEarly,
} from '#server/features/mails/mails.service.ts'
import { findRelation } from '#server/features/relationships/relationships.service.ts'
import { type Handler, handleJob } from '#server/platform/jobs/jobs.ts'
import type { QueuedMail } from '#server/platform/mail/mail-queue.ts'
import { closeActivity, queueDueActivity, sumActivity } from './activity.service.ts'
import { activityEmail, newRevelationEmail, revealedEmail } from './notifications.emails.ts'
import { tellOfReveal, tellOfSealing } from './notifications.jobs.ts'
import { tellOfNewRevelation, tellOfOpenRevelation } from './notifications.service.ts'
import { findSeenBy, getReader, type Reader } from './readers.service.ts'

export const notificationHandlers: readonly Handler<AppContext>[] = [
  handleJob(tellOfSealing, (ctx, { revelationId }) => tellOfNewRevelation(ctx, revelationId)),
  handleJob(tellOfReveal, (ctx, { revelationId }) => tellOfOpenRevelation(ctx, revelationId)),
]

export const dueActivitySchedule = {
  name: 'queue-due-activity',
  everyMs: 5_000,
  run: queueDueActivity,
}

async function wants(tx: AppContext, reader: Reader, preference: Preference): Promise<boolean> {
  const wishes = await getPreferences(tx, reader.userId)
  return reader.isVerified && wishes.emailNotifications && wishes[preference]
}

/** What somebody close sealed, as its reader may see it when the mail leaves; nothing once they are no longer close. */
async function findFromTie(tx: AppContext, mail: QueuedMail, preference: Preference) {
  const reader = await getReader(tx, mail.recipientId)
  if (!reader || !(await wants(tx, reader, preference))) return undefined
  const seen = await findSeenBy(tx, reader, mail.subjectId)
  if (!seen) return undefined
  const tie = await findRelation(tx, reader.userId, seen.authorId)
  if (tie !== 'friend' && tie !== 'family') return undefined
  const addressed = { to: reader.email, pageUrl: pageOf(tx.config.http, mail.subjectId) }
  return { seen, addressed, isOpen: isRevealed(seen, tx.now()) }
}

async function composeNew(tx: AppContext, mail: QueuedMail): Promise<ComposedMail | undefined> {
  const found = await findFromTie(tx, mail, 'newRevelations')
  // Open since: that is told by itself.
  return found && !found.isOpen ? newRevelationEmail(found.seen, found.addressed) : undefined
}

async function composeRevealed(
  tx: AppContext,
  mail: QueuedMail,
): Promise<ComposedMail | undefined> {
  const found = await findFromTie(tx, mail, 'revelationRevealed')
  if (!found) return undefined
  if (!found.isOpen) throw new TooEarly()
  return revealedEmail(found.seen, found.addressed)
}

async function composeActivity(
  tx: AppContext,
  mail: QueuedMail,
): Promise<ComposedMail | undefined> {
  const author = await getReader(tx, mail.recipientId)
  const seen = author && (await findSeenBy(tx, author, mail.subjectId))
  if (!seen) return undefined
  const activity = await sumActivity(tx, mail, author.userId)
  if (!author.isVerified || activity.comments.count + activity.reactions.count === 0) {
    await closeActivity(tx, mail)
    return undefined
  }
  const facts = { ...seen, isRevealed: isRevealed(seen, tx.now()) }
  return activityEmail(facts, activity, {
    to: author.email,
    pageUrl: pageOf(tx.config.http, seen.id),
  })
}

export const notificationMails: readonly MailTemplate[] = [
  { name: 'new-revelation', compose: composeNew },
  { name: 'revelation-revealed', compose: composeRevealed },
  {
    name: 'activity',
    compose: composeActivity,
    onOutcome: async (tx, mail, { state }) => {
      if (state !== 'delayed') await closeActivity(tx, mail)
    },
  },
]
