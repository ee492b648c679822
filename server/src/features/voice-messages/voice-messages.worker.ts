import { type AppContext, inBatches } from '#server/context.ts'
import { canPlay, canViewVoice } from '#server/features/access/access.rules.ts'
import { getPreferences } from '#server/features/mails/mail-preferences.service.ts'
import {
  type ComposedMail,
  type MailTemplate,
  TooEarly,
} from '#server/features/mails/mails.service.ts'
import { findReaderOf, lockReaders } from '#server/features/notifications/readers.service.ts'
import { enqueueMails, type QueuedMail } from '#server/platform/mail/mail-queue.ts'
import { relationTo } from './voice-message-viewers.service.ts'
import { voiceMessageOpenEmail } from './voice-messages.emails.ts'
import {
  claimDueVoiceMessages,
  findVoiceMessage,
  listDueVoiceMessages,
} from './voice-messages.repository.ts'

const OPEN_MAIL = 'sound-open'
const BATCH_SIZE = 100

export const voiceMessageMails: readonly MailTemplate[] = [
  { name: OPEN_MAIL, compose: composeOpen },
]

export const dueVoiceMessagesSchedule = {
  name: 'queue-due-sounds',
  everyMs: 5_000,
  run: enqueueDueMails,
}

/** Enqueues the mail to the recipient of every private voice message that is open, each once. */
export async function enqueueDueMails(ctx: AppContext): Promise<void> {
  await inBatches(ctx, BATCH_SIZE, enqueueBatch)
}

async function enqueueBatch(tx: AppContext): Promise<number> {
  const now = tx.now()
  const due = await listDueVoiceMessages(tx.db, now, BATCH_SIZE)
  if (due.length === 0) return 0
  await lockReaders(
    tx,
    due.flatMap(({ authorId, recipientId }) => [authorId, recipientId ?? authorId]),
  )
  const claimed = await claimDueVoiceMessages(
    tx.db,
    due.map(({ id }) => id),
    now,
  )
  const mails = claimed.flatMap(({ id, authorId, recipientId }) =>
    recipientId ? { subjectId: id, recipientId, senderId: authorId } : [],
  )
  await enqueueMails(tx, OPEN_MAIL, mails)
  return claimed.length
}

/** Composes the mail by the relation of the reader to the author as it leaves; none when the gate has closed. */
async function composeOpen(tx: AppContext, mail: QueuedMail): Promise<ComposedMail | undefined> {
  const reader = await findReaderOf(tx, mail)
  if (!reader?.isVerified) return undefined
  const preferences = await getPreferences(tx, reader.userId)
  if (!preferences.emailNotifications || !preferences.revelationRevealed) return undefined
  const voiceMessage = await findVoiceMessage(tx.db, mail.subjectId, reader.userId)
  const relation = voiceMessage && (await relationTo(tx, reader.userId, voiceMessage))
  if (!relation || !canViewVoice(relation, voiceMessage)) return undefined
  if (!canPlay(relation, voiceMessage, tx.now())) throw new TooEarly()
  const pageUrl = `${tx.config.http.publicUrl}/family-sound`
  return voiceMessageOpenEmail(voiceMessage, { to: reader.email, pageUrl })
}
