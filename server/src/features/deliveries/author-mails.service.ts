import type { AppContext } from '#server/context.ts'
import type { ComposedMail, MailTemplate } from '#server/features/mails/mails.service.ts'
import { isRevealed, maskEmail, pageOf } from '#server/features/revelations/revelations.rules.ts'
import { getPreferences } from '#server/features/subscriptions/preferences.service.ts'
import type { QueuedMail } from '#server/platform/mail/mail-queue.ts'
import { deliveredEmail, failedEmail, sealedEmail } from './author-mails.emails.ts'
import { countMailsBefore, findAuthor } from './author-mails.repository.ts'
import { findDeliveryFacts, listAddresses } from './deliveries.repository.ts'
import type { DeliveryFacts } from './deliveries.rules.ts'

const A_DAY_MS = 24 * 3_600_000
/** An address nobody proved may be somebody else’s: it gets few mails. */
const UNVERIFIED_MAILS_PER_DAY = 5
const TEMPLATES = ['sealed', 'delivered', 'delivery-failed']

type Compose = MailTemplate['compose']

/** Once it is revealed, that it was delivered says more. */
const composeSealed: Compose = async (tx, mail) => {
  const facts = await findDeliveryFacts(tx.db, { revelationId: mail.subjectId })
  if (!facts || isRevealed(facts, tx.now()) || !(await wantsConfirmations(tx, facts))) return
  const addresses = await listAddresses(tx.db, facts.revelationId)
  const addressees = addresses.map(maskEmail)
  return unlessTooMany(
    tx,
    mail,
    sealedEmail(facts, { page: pageOf(tx.config.http, facts.revelationId), addressees }),
  )
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
  return unlessTooMany(tx, mail, deliveredEmail(facts, said))
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
  return unlessTooMany(tx, mail, failedEmail(facts, said))
}

async function wantsConfirmations(tx: AppContext, { authorId }: DeliveryFacts): Promise<boolean> {
  return (await getPreferences(tx, authorId)).emailNotifications
}

async function unlessTooMany(
  tx: AppContext,
  mail: QueuedMail,
  composed: ComposedMail,
): Promise<ComposedMail | undefined> {
  const { recipientId } = mail
  if (recipientId === null) return undefined
  if ((await findAuthor(tx.db, recipientId))?.emailVerifiedAt) return composed
  const since = new Date(tx.now().getTime() - A_DAY_MS)
  const asked = { templates: TEMPLATES, since }
  const before = await countMailsBefore(tx.db, { ...mail, recipientId }, asked)
  return before < UNVERIFIED_MAILS_PER_DAY ? composed : undefined
}

/** What an author is told of what they sealed: to their own address, proved or not. */
export const authorMails: readonly MailTemplate[] = [
  { name: 'sealed', compose: composeSealed },
  { name: 'delivered', compose: composeDelivered },
  { name: 'delivery-failed', compose: composeFailed },
]
