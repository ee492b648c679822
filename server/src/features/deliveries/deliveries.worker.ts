import type { AppContext } from '#server/context.ts'
import type {
  ComposedMail,
  MailOutcome,
  MailTemplate,
} from '#server/features/mails/mails.service.ts'
import type { QueuedMail } from '#server/platform/mail/mail-queue.ts'
import { deliveryEmail, noticeEmail } from './deliveries.emails.ts'
import { type DeliveryFacts, findDeliveryFacts, noteOutcome } from './deliveries.repository.ts'
import { reasonInWords } from './deliveries.rules.ts'
import { personalKeyFor, queueDueDeliveries } from './deliveries.service.ts'

export const dueDeliveriesSchedule = {
  name: 'queue-due-deliveries',
  everyMs: 5_000,
  run: queueDueDeliveries,
}

function pageOf(tx: AppContext, { revelationId }: DeliveryFacts): string {
  return `${tx.config.http.publicUrl}/revelation/${revelationId}`
}

function isRevealed(tx: AppContext, { revealAt }: DeliveryFacts): boolean {
  return revealAt.getTime() <= tx.now().getTime()
}

/** Nothing to say any more: deleted, moved to another date, or carried by another mail. */
async function composeDelivery(
  tx: AppContext,
  mail: QueuedMail,
): Promise<ComposedMail | undefined> {
  const facts = await findDeliveryFacts(tx.db, { id: mail.subjectId })
  if (!facts || facts.mailId !== mail.id || !isRevealed(tx, facts)) return undefined
  const personalLink = `${pageOf(tx, facts)}#cle=${personalKeyFor(tx, facts.id)}`
  return deliveryEmail(facts, { personalLink })
}

async function noteDelivery(tx: AppContext, mail: QueuedMail, outcome: MailOutcome): Promise<void> {
  if (outcome.state === 'sent') {
    await noteOutcome(tx.db, mail.id, { state: 'sent', sentAt: outcome.at, error: null })
    return
  }
  const isLast = outcome.state === 'failed'
  await noteOutcome(tx.db, mail.id, {
    state: isLast ? 'failed' : 'queued',
    error: reasonInWords(outcome.failure, isLast),
  })
}

async function composeNotice(tx: AppContext, mail: QueuedMail): Promise<ComposedMail | undefined> {
  const facts = await findDeliveryFacts(tx.db, { id: mail.subjectId })
  // Another addressee since: this notice was for nobody any more.
  if (!facts || isRevealed(tx, facts) || facts.notifiedAt === null) return undefined
  const publicPage = facts.visibility === 'public' ? pageOf(tx, facts) : undefined
  return noticeEmail(facts, { publicPage })
}

export const deliveryMails: readonly MailTemplate[] = [
  { name: 'delivery', compose: composeDelivery, noteOutcome: noteDelivery },
  { name: 'notice', compose: composeNotice },
]
