import type { AppContext } from '#server/context.ts'
import { isRevealed, pageOf } from '#server/features/access/access.rules.ts'
import { personalKeyFor } from '#server/features/access/personal-keys.service.ts'
import {
  type MailOutcome,
  type MailTemplate,
  TooEarly,
} from '#server/features/mails/mails.service.ts'
import type { QueuedMail } from '#server/platform/mail/mail-queue.ts'
import { publishDeliveryChanged } from '#server/platform/pubsub/pubsub.ts'
import { authorMails } from './author-mails.service.ts'
import { deliveryEmail, noticeEmail } from './deliveries.emails.ts'
import { findDeliveryFacts, setNotified } from './deliveries.repository.ts'
import { heldInWords, reasonInWords } from './deliveries.rules.ts'
import { noteDelayed, noteFailed, noteSent } from './delivery-outcomes.service.ts'
import { setPlanned } from './due-deliveries.repository.ts'
import { queueDueDeliveries } from './due-deliveries.service.ts'
import { noteDelay } from './journal.repository.ts'

export const dueDeliveriesSchedule = {
  name: 'queue-due-deliveries',
  everyMs: 5_000,
  run: queueDueDeliveries,
}

/** Nothing to say any more: deleted, moved to another date (which lets go of its mail), or carried by another mail. */
const composeDelivery: MailTemplate['compose'] = async (tx, mail) => {
  const facts = await findDeliveryFacts(tx.db, { id: mail.subjectId })
  if (facts?.mailId !== mail.id) return undefined
  if (!isRevealed(facts, tx.now())) throw new TooEarly()
  if (facts.hiddenAt !== null) {
    await setPlanned(tx.db, facts.id)
    return undefined
  }
  const key = personalKeyFor(tx, facts.id, facts.keyVersion)
  return deliveryEmail(facts, {
    personalLink: `${pageOf(tx.config.http, facts.revelationId)}#cle=${key}`,
  })
}

async function noteDelivery(tx: AppContext, mail: QueuedMail, outcome: MailOutcome): Promise<void> {
  const facts = await findDeliveryFacts(tx.db, { mailId: mail.id })
  if (!facts) return
  if (outcome.state === 'sent') return noteSent(tx, facts, outcome.at)
  const isLast = outcome.state === 'failed'
  const reason = reasonInWords(outcome.failure, isLast)
  if (isLast) await noteFailed(tx, facts, reason)
  else await noteDelayed(tx, facts, reason)
}

const composeNotice: MailTemplate['compose'] = async (tx, mail) => {
  const facts = await findDeliveryFacts(tx.db, { id: mail.subjectId })
  if (!facts?.notifiedAt || isRevealed(facts, tx.now())) return undefined
  // Another addressee since: this notice was for nobody any more.
  if (mail.createdAt.getTime() < facts.notifiedAt.getTime()) return undefined
  if (facts.hiddenAt !== null) {
    // Nobody was told: once it is restored, its author may tell.
    await setNotified(tx.db, facts.id, null)
    return undefined
  }
  const publicPage =
    facts.visibility === 'public' ? pageOf(tx.config.http, facts.revelationId) : undefined
  return noticeEmail(facts, { publicPage })
}

/** In the journal: the letter is not lost, and its author need not send it again. */
const noteHeld: MailTemplate['noteHeld'] = async (tx, mail, wait) => {
  const facts = await findDeliveryFacts(tx.db, { id: mail.subjectId })
  if (!facts) return
  const reason = heldInWords(wait, facts.timeZone)
  await noteDelay(tx.db, facts.id, { at: tx.now(), reason })
  publishDeliveryChanged(tx, facts)
}

export const deliveryMails: readonly MailTemplate[] = [
  {
    name: 'delivery',
    mailClass: 'letters',
    compose: composeDelivery,
    noteOutcome: noteDelivery,
    noteHeld,
  },
  { name: 'notice', mailClass: 'letters', compose: composeNotice, noteHeld },
  ...authorMails,
]
