import { type AppContext, inTransaction } from '#server/context.ts'
import { mailHashesOf } from '#server/features/mails/mail-limits.service.ts'
import { suppressAddress } from '#server/features/mails/mail-preferences.service.ts'
import type { MailOutcome } from '#server/features/mails/mails.service.ts'
import { notify } from '#server/features/notifications/news.service.ts'
import { enqueueMails, postponeMail } from '#server/platform/mail/mail-queue.ts'
import { publishDeliveryChanged } from '#server/platform/pubsub/pubsub.ts'
import {
  findDeliveryFacts,
  listCarriedDeliveries,
  listRemindedDeliveries,
  lockDelivery,
  setCarrier,
  setOutcome,
  setQueuedAgain,
  setSent,
} from './deliveries.repository.ts'
import { type DeliveryFacts, mailIdOf } from './deliveries.rules.ts'
import { findFirstSending, insertDelay, insertStep } from './journal.repository.ts'
import { recordMailedToAddressee } from './mailed-checkpoints.service.ts'

/** Records that a delivery left with a mail; its author gets a mail when the first of the letter does. */
export async function recordSent(
  tx: AppContext,
  delivery: Pick<DeliveryFacts, 'id' | 'revelationId' | 'authorId'>,
  mailId: string,
  outcome: Extract<MailOutcome, { state: 'sent' }>,
): Promise<void> {
  const sent = await setSent(tx.db, { id: delivery.id, mailId, at: outcome.at })
  if (!sent) return
  await recordMailedToAddressee(tx, delivery.id, outcome)
  if (sent.isFirst) await enqueueAuthorMail(tx, 'delivered', delivery)
  publishDeliveryChanged(tx, delivery)
}

/** Records that a try failed and another will follow. */
export async function recordDelay(
  tx: AppContext,
  delivery: DeliveryFacts,
  reason: string,
): Promise<void> {
  await setOutcome(tx.db, delivery.id, { error: reason })
  await insertDelay(tx.db, delivery.id, { at: tx.now(), reason })
  publishDeliveryChanged(tx, delivery)
}

/** Records that a delivery will not arrive; its author always gets a mail with the reason. */
export async function recordFailure(
  tx: AppContext,
  delivery: DeliveryFacts,
  reason: string,
): Promise<void> {
  await setOutcome(tx.db, delivery.id, { state: 'failed', error: reason })
  await insertStep(tx.db, delivery.id, { step: 'failed', at: tx.now(), reason })
  await enqueueAuthorMail(tx, 'delivery-failed', delivery)
  const { id: deliveryId, authorId: userId, revelationId } = delivery
  // A letter to oneself: its author reads the address that failed.
  if (delivery.addressKey !== delivery.authorEmailKey)
    await notify(tx, [{ userId, kind: 'delivery_failed', revelationId, deliveryId }])
  publishDeliveryChanged(tx, delivery)
}

/** Records that the failed deliveries of these mails are queued again. */
export async function recordRequeue(tx: AppContext, mailIds: readonly string[]): Promise<void> {
  const at = tx.now()
  for (const id of await setQueuedAgain(tx.db, mailIds)) {
    await insertStep(tx.db, id, { step: 'resent', at })
    const delivery = await findDeliveryFacts(tx.db, { id })
    if (delivery) publishDeliveryChanged(tx, delivery)
  }
}

async function enqueueAuthorMail(
  tx: AppContext,
  template: 'delivered' | 'delivery-failed',
  { id, authorId }: Pick<DeliveryFacts, 'id' | 'authorId'>,
): Promise<void> {
  await enqueueMails(tx, template, [{ subjectId: id, recipientId: authorId }])
}

/** A mail that a server accepted and that came back. `reason` is in that server’s own words: for the log, not for people. */
export interface Bounce {
  messageId: string
  kind: 'permanent' | 'temporary'
  reason: string
}

const GONE = 'L’e-mail est revenu\u202F: cette adresse n’existe pas ou n’existe plus.'
const FULL = 'L’e-mail est revenu\u202F: la boîte du destinataire ne pouvait pas le recevoir.'

const AN_HOUR_MS = 3_600_000
const AGAIN_AFTER_MS = 6 * AN_HOUR_MS
const SENT_AGAIN_FOR_MS = 72 * AN_HOUR_MS

/**
 * The one place where a provider’s webhook or a mailbox for returned mails plugs in (docs/decisions/0014-bounces.md).
 * Returns false when nothing is recorded: the Message-ID is none of ours, or what it carried has another address, failed before
 * or was revoked.
 */
export async function recordBounce(ctx: AppContext, bounce: Bounce): Promise<boolean> {
  const mailId = mailIdOf(bounce.messageId)
  if (!mailId) return false
  return inTransaction(ctx, async (tx) => {
    const carried = await listCarriedDeliveries(tx.db, mailId)
    let isRecorded = false
    for (const found of [...carried, ...(await listRemindedDeliveries(tx.db, mailId))]) {
      const delivery = await lockDelivery(tx.db, found.id)
      // Its author gave it another address meanwhile, or it came back twice.
      const isSame = delivery?.mailId === found.mailId && delivery.addressKey === found.addressKey
      if (!isSame || delivery.state === 'failed') continue
      // What its author revoked leaves no more: another try would carry the next link.
      if (bounce.kind === 'temporary' && delivery.revokedAt !== null) continue
      if (bounce.kind === 'permanent') {
        await suppressAddress(tx, delivery.address, 'bounced')
        await recordFailure(tx, delivery, GONE)
      } else if (carried.includes(found)) await sendAgainLater(tx, delivery)
      isRecorded = true
    }
    if (isRecorded)
      tx.log.warn({ mailId, kind: bounce.kind, reason: bounce.reason }, 'a delivery came back')
    return isRecorded
  })
}

/** For three days from when it left: what passes by itself is no failure (behaviour.md 5.2). */
async function sendAgainLater(tx: AppContext, delivery: DeliveryFacts): Promise<void> {
  const now = tx.now()
  const firstAt = (await findFirstSending(tx.db, delivery.id)) ?? now
  if (now.getTime() - firstAt.getTime() >= SENT_AGAIN_FOR_MS)
    return recordFailure(tx, delivery, `${FULL} Trois jours d’essais n’y ont rien changé.`)
  const { id, authorId, address } = delivery
  const [mailId = ''] = await enqueueMails(tx, 'delivery', [{ subjectId: id, senderId: authorId }])
  const until = new Date(now.getTime() + AGAIN_AFTER_MS)
  const group = { ...mailHashesOf(tx, address), mailClass: 'letters' }
  await postponeMail(tx.db, mailId, group, until)
  await setCarrier(tx.db, delivery, mailId)
  await recordDelay(tx, delivery, `${FULL} Un nouvel essai suivra.`)
}
