import type { AppContext } from '#server/context.ts'
import { pageOf } from '#server/features/access/access.rules.ts'
import { personalLinkOf } from '#server/features/access/personal-keys.service.ts'
import type { DeliveryFacts } from '#server/features/deliveries/deliveries.rules.ts'
import { findDelivery } from '#server/features/deliveries/deliveries.service.ts'
import { getPreferences } from '#server/features/mails/mail-preferences.service.ts'
import type { ComposedMail, MailTemplate } from '#server/features/mails/mails.service.ts'
import { getSender } from '#server/features/mails/senders.service.ts'
import { findReaderOf } from '#server/features/notifications/readers.service.ts'
import type { QueuedMail } from '#server/platform/mail/mail-queue.ts'
import { answerEmail, replyEmail } from './replies.emails.ts'
import { findReply, type ReplyRow } from './replies.repository.ts'
import { ANSWER_MAIL } from './replies.service.ts'
import { isRefused } from './reply-blocks.service.ts'
import { REPLY_MAIL } from './reply-sending.service.ts'

export const replyMails: readonly MailTemplate[] = [
  { name: REPLY_MAIL, compose: composeReply },
  { name: ANSWER_MAIL, mailClass: 'letters', compose: composeAnswer },
]

/** A reply that is still there to be read, with the letter it answers. */
async function findNews(
  tx: AppContext,
  { subjectId }: QueuedMail,
): Promise<{ reply: ReplyRow; facts: DeliveryFacts } | undefined> {
  const reply = await findReply(tx.db, { id: subjectId })
  const facts = reply && (await findDelivery(tx, reply.deliveryId))
  const isGone = !facts || reply.hiddenAt !== null || facts.hiddenAt !== null
  return isGone ? undefined : { reply, facts }
}

/** Undefined once the author has seen it, too. */
async function composeReply(tx: AppContext, mail: QueuedMail): Promise<ComposedMail | undefined> {
  const author = await findReaderOf(tx, mail)
  const news = await findNews(tx, mail)
  if (!author?.isVerified || !news || news.reply.readAt !== null) return undefined
  const preferences = await getPreferences(tx, author.userId)
  if (!preferences.emailNotifications || !preferences.newComments) return undefined
  const { reply, facts } = news
  if (await isRefused(tx, author.userId, reply)) return undefined
  return replyEmail(facts, {
    from: reply.isNamed ? `@${reply.writerPseudo}` : reply.address,
    person: reply.isNamed && reply.writerPseudo ? { name: reply.writerPseudo } : undefined,
    to: author.email,
    pageUrl: pageOf(tx.config.http, facts.revelationId),
  })
}

/** Undefined once the letter went to another address, the author revoked its link, or one of the two blocked the other. */
async function composeAnswer(tx: AppContext, mail: QueuedMail): Promise<ComposedMail | undefined> {
  const news = await findNews(tx, mail)
  if (!news || news.reply.answeredAt === null) return undefined
  const { reply, facts } = news
  if (facts.addressKey !== reply.addressKey || facts.revokedAt !== null) return undefined
  if (await isRefused(tx, reply.authorId, reply)) return undefined
  return answerEmail(facts, {
    personalLink: personalLinkOf(tx, facts),
    person: (await getSender(tx, facts)).person,
  })
}
