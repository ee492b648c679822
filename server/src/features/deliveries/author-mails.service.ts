import type { AppContext } from '#server/context.ts'
import { isRevealed, pageOf } from '#server/features/access/access.rules.ts'
import type { MailTemplate } from '#server/features/mails/mails.service.ts'
import { getPreferences } from '#server/features/mails/preferences.service.ts'
import { maskEmail } from '#server/platform/mail/email-address.ts'
import { deliveredEmail, failedEmail, sealedEmail } from './author-mails.emails.ts'
import { findDeliveryFacts, listAddresses } from './deliveries.repository.ts'
import type { DeliveryFacts } from './deliveries.rules.ts'

type Compose = MailTemplate['compose']

/** Once it is revealed, that it was delivered says more. */
const composeSealed: Compose = async (tx, mail) => {
  const facts = await findDeliveryFacts(tx.db, { revelationId: mail.subjectId })
  if (!facts || isRevealed(facts, tx.now()) || !(await wantsConfirmations(tx, facts))) return
  const addresses = await listAddresses(tx.db, facts.revelationId)
  const addressees = addresses.map(maskEmail)
  return sealedEmail(facts, { page: pageOf(tx.config.http, facts.revelationId), addressees })
}

const composeDelivered: Compose = async (tx, mail) => {
  const facts = await findDeliveryFacts(tx.db, { id: mail.subjectId })
  // To oneself, the letter has just arrived.
  if (!facts?.sentAt || facts.addressKey === facts.authorEmailKey) return
  if (!(await wantsConfirmations(tx, facts))) return
  const { sentAt } = facts
  const said = {
    page: pageOf(tx.config.http, facts.revelationId),
    addressee: maskEmail(facts.address),
    sentAt,
  }
  return deliveredEmail(facts, said)
}

const composeFailed: Compose = async (tx, mail) => {
  const facts = await findDeliveryFacts(tx.db, { id: mail.subjectId })
  // Sent elsewhere meanwhile, or to the very address that failed.
  if (facts?.state !== 'failed' || facts.addressKey === facts.authorEmailKey) return
  const reason = facts.error ?? ''
  const said = {
    page: pageOf(tx.config.http, facts.revelationId),
    addressee: maskEmail(facts.address),
    reason,
  }
  return failedEmail(facts, said)
}

async function wantsConfirmations(tx: AppContext, { authorId }: DeliveryFacts): Promise<boolean> {
  return (await getPreferences(tx, authorId)).emailNotifications
}

/** What an author is told of what they sealed: to their own address, proved or not. */
export const authorMails: readonly MailTemplate[] = [
  { name: 'sealed', compose: composeSealed },
  { name: 'delivered', compose: composeDelivered },
  { name: 'delivery-failed', compose: composeFailed },
]
