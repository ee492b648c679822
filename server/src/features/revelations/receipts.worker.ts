import { pageOf } from '#server/features/access/access.rules.ts'
import { recordMailedToAuthor } from '#server/features/deliveries/mailed-checkpoints.service.ts'
import { type MailTemplate, TooEarly } from '#server/features/mails/mails.service.ts'
import { findEnvelopeFor, findReaderOf } from '#server/features/notifications/readers.service.ts'
import { receiptEmail } from './receipts.emails.ts'
import { createReceipt, RECEIPT_MAIL } from './receipts.service.ts'

/** Undefined once the letter is gone, or the address is not verified any more. */
const composeReceipt: MailTemplate['compose'] = async (tx, mail) => {
  const author = await findReaderOf(tx, mail)
  const envelope = author && (await findEnvelopeFor(tx, author, mail.subjectId))
  if (!author?.isVerified || envelope?.authorId !== author.userId) return undefined
  // Nothing opens the letter here: no mail contains one.
  const { receipt } = await createReceipt(tx, envelope, undefined)
  // It was edited since it was asked for.
  if (!receipt) throw new TooEarly()
  const page = pageOf(tx.config.http, envelope.id)
  return receiptEmail(author, { ...envelope, page }, receipt)
}

export const receiptMails: readonly MailTemplate[] = [
  {
    name: RECEIPT_MAIL,
    compose: composeReceipt,
    onOutcome: (tx, mail, outcome) => recordMailedToAuthor(tx, mail.subjectId, outcome),
  },
]
