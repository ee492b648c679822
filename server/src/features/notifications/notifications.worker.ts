import type { Preference } from '#contract/subscriptions.ts'
import type { AppContext } from '#server/context.ts'
import { isRevealed, pageOf } from '#server/features/access/access.rules.ts'
import { canViewMany } from '#server/features/access/viewers.service.ts'
import { getPreferences } from '#server/features/mails/mail-preferences.service.ts'
import {
  type ComposedMail,
  type MailTemplate,
  TooEarly,
} from '#server/features/mails/mails.service.ts'
import { findRelation } from '#server/features/relationships/relationships.service.ts'
import { type Handler, handleJob } from '#server/platform/jobs/jobs.ts'
import type { Schedule } from '#server/platform/jobs/schedules.ts'
import type { QueuedMail } from '#server/platform/mail/mail-queue.ts'
import { deleteOldNotifications } from './news.service.ts'
import { activityEmail, newRevelationEmail, revealedEmail } from './notifications.emails.ts'
import {
  ACTIVITY_MAIL,
  closeActivity,
  createRevealNotifications,
  createSealedNotifications,
  enqueueDueActivity,
  listActivity,
  revealNotificationsJob,
  sealedNotificationsJob,
} from './notifications.service.ts'
import { findEnvelopeFor, findReaderOf } from './readers.service.ts'

export const notificationHandlers: readonly Handler<AppContext>[] = [
  handleJob(sealedNotificationsJob, (ctx, { revelationId }) =>
    createSealedNotifications(ctx, revelationId),
  ),
  handleJob(revealNotificationsJob, (ctx, { revelationId }) =>
    createRevealNotifications(ctx, revelationId),
  ),
]

const A_MINUTE_MS = 60_000

export const notificationSchedules: readonly Schedule<AppContext>[] = [
  { name: 'queue-due-activity', everyMs: 5_000, run: enqueueDueActivity },
  { name: 'forget-old-notifications', everyMs: 60 * A_MINUTE_MS, run: deleteOldNotifications },
]

/** What the mail is about, as its reader may see it as it leaves; nothing once they are no longer close to the author. */
async function findNews(tx: AppContext, mail: QueuedMail, preference: Preference) {
  const reader = await findReaderOf(tx, mail)
  if (!reader?.isVerified) return undefined
  const preferences = await getPreferences(tx, reader.userId)
  if (!preferences.emailNotifications || !preferences[preference]) return undefined
  const envelope = await findEnvelopeFor(tx, reader, mail.subjectId)
  if (!envelope) return undefined
  const relation = await findRelation(tx, reader.userId, envelope.authorId)
  if (relation !== 'friend' && relation !== 'family') return undefined
  const addressed = { to: reader.email, pageUrl: pageOf(tx.config.http, envelope.id) }
  return { envelope, addressed, isOpen: isRevealed(envelope, tx.now()) }
}

async function composeNew(tx: AppContext, mail: QueuedMail): Promise<ComposedMail | undefined> {
  const news = await findNews(tx, mail, 'newRevelations')
  // Once it is open, another mail is about that.
  return news && !news.isOpen ? newRevelationEmail(news.envelope, news.addressed) : undefined
}

async function composeRevealed(
  tx: AppContext,
  mail: QueuedMail,
): Promise<ComposedMail | undefined> {
  const news = await findNews(tx, mail, 'revelationRevealed')
  if (!news) return undefined
  if (!news.isOpen) throw new TooEarly()
  return revealedEmail(news.envelope, news.addressed)
}

async function composeActivity(
  tx: AppContext,
  mail: QueuedMail,
): Promise<ComposedMail | undefined> {
  const author = await findReaderOf(tx, mail)
  if (!author) return undefined
  const activity = author.isVerified ? await listActivity(tx, mail, author.userId) : []
  const ids = activity.map(({ revelationId }) => revelationId)
  const findVisible = await canViewMany(tx, [author], ids)
  const letters = activity.flatMap(({ revelationId, ...sums }) => {
    const envelope = findVisible(author, revelationId)
    if (!envelope) return []
    const pageUrl = pageOf(tx.config.http, revelationId)
    return [{ ...envelope, ...sums, pageUrl, isRevealed: isRevealed(envelope, tx.now()) }]
  })
  if (letters.length === 0) {
    await closeActivity(tx, mail)
    return undefined
  }
  return activityEmail(letters, {
    to: author.email,
    initial: author.pseudo,
    pageUrl: `${tx.config.http.publicUrl}/notifications`,
  })
}

export const notificationMails: readonly MailTemplate[] = [
  { name: 'new-revelation', compose: composeNew },
  { name: 'revelation-revealed', compose: composeRevealed },
  {
    name: ACTIVITY_MAIL,
    compose: composeActivity,
    onOutcome: async (tx, mail, { state }) => {
      if (state !== 'delayed') await closeActivity(tx, mail)
    },
  },
]
