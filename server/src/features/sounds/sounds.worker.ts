import type { AppContext } from '#server/context.ts'
import { canPlay, canViewVoice } from '#server/features/access/access.rules.ts'
import {
  type ComposedMail,
  type MailTemplate,
  TooEarly,
} from '#server/features/mails/mails.service.ts'
import { getPreferences } from '#server/features/mails/preferences.service.ts'
import { getReader } from '#server/features/notifications/readers.service.ts'
import type { QueuedMail } from '#server/platform/mail/mail-queue.ts'
import { tieToSound } from './sound-circles.service.ts'
import { queueDueSounds, SOUND_OPEN } from './sound-telling.service.ts'
import { soundOpenEmail } from './sounds.emails.ts'
import { findSound } from './sounds.repository.ts'

export const dueSoundsSchedule = { name: 'queue-due-sounds', everyMs: 5_000, run: queueDueSounds }

/** As its reader stands to the author when the mail leaves; nothing once the sound is no longer for them. */
async function composeOpen(tx: AppContext, mail: QueuedMail): Promise<ComposedMail | undefined> {
  const reader = await getReader(tx, mail.recipientId)
  if (!reader?.isVerified) return undefined
  const wishes = await getPreferences(tx, reader.userId)
  if (!wishes.emailNotifications || !wishes.revelationRevealed) return undefined
  const sound = await findSound(tx.db, mail.subjectId, reader.userId)
  const tie = sound && (await tieToSound(tx, reader.userId, sound))
  if (!tie || !canViewVoice(tie, sound)) return undefined
  if (!canPlay(tie, sound, tx.now())) throw new TooEarly()
  const pageUrl = `${tx.config.http.publicUrl}/family-sound`
  return soundOpenEmail(sound, { to: reader.email, pageUrl })
}

export const soundMails: readonly MailTemplate[] = [{ name: SOUND_OPEN, compose: composeOpen }]
