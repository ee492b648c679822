import { type AppContext, inTransaction } from '#server/context.ts'
import { suppressAddress } from '#server/features/mails/mail-preferences.service.ts'
import { notify } from '#server/features/notifications/news.service.ts'
import { enqueueMails } from '#server/platform/mail/mail-queue.ts'
import { publishDeliveryChanged } from '#server/platform/pubsub/pubsub.ts'
import {
  findDeliveryFacts,
  listCarriedDeliveries,
  setOutcome,
  setQueuedAgain,
} from './deliveries.repository.ts'
import { type DeliveryFacts, mailIdOf } from './deliveries.rules.ts'
import { insertDelay, insertStep } from './journal.repository.ts'

/** Records that a delivery left; its author gets a mail the first time. */
export async function recordSent(tx: AppContext, delivery: DeliveryFacts, at: Date): Promise<void> {
  await setOutcome(tx.db, delivery.id, { state: 'sent', sentAt: at, error: null })
  await insertStep(tx.db, delivery.id, { step: 'sent', at })
  if (delivery.sentAt === null) await enqueueAuthorMail(tx, 'delivered', delivery)
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
  { id, authorId }: DeliveryFacts,
): Promise<void> {
  await enqueueMails(tx, template, [{ subjectId: id, recipientId: authorId }])
}

/** A mail that a server accepted and that came back. `reason` is in that server’s own words: for the log, not for people. */
export interface Bounce {
  messageId: string
  kind: 'permanent' | 'temporary'
  reason: string
}

const BOUNCE_SENTENCES: Record<Bounce['kind'], string> = {
  permanent: 'Le mail est revenu\u00A0: cette adresse n’existe pas ou n’existe plus.',
  temporary:
    'Le mail est revenu\u00A0: la boîte du destinataire ne pouvait pas le recevoir. Vous pouvez le renvoyer.',
}

/**
 * The one place where a provider’s webhook or a mailbox for returned mails plugs in (docs/decisions/0014-bounces.md).
 * Returns false when the Message-ID is none of ours, or of a mail that carries no delivery any more.
 */
export async function recordBounce(ctx: AppContext, bounce: Bounce): Promise<boolean> {
  const mailId = mailIdOf(bounce.messageId)
  if (!mailId) return false
  return inTransaction(ctx, async (tx) => {
    const carried = await listCarriedDeliveries(tx.db, mailId)
    const deliveries = carried.filter(({ state }) => state !== 'failed')
    for (const delivery of deliveries) {
      if (bounce.kind === 'permanent') await suppressAddress(tx, delivery.address, 'bounced')
      await recordFailure(tx, delivery, BOUNCE_SENTENCES[bounce.kind])
    }
    if (deliveries.length === 0) return false
    tx.log.warn({ mailId, kind: bounce.kind, reason: bounce.reason }, 'a delivery came back')
    return true
  })
}
