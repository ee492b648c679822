import type { AppContext } from '#server/context.ts'
import { enqueueMails } from '#server/platform/mail/mail-queue.ts'
import { publishDeliveryChanged } from '#server/platform/pubsub/pubsub.ts'
import { findDeliveryFacts, setOutcome, setQueuedAgain } from './deliveries.repository.ts'
import type { DeliveryFacts } from './deliveries.rules.ts'
import { noteDelay, noteStep } from './journal.repository.ts'

/** It left; its author is told the first time. */
export async function noteSent(tx: AppContext, delivery: DeliveryFacts, at: Date): Promise<void> {
  await setOutcome(tx.db, delivery.id, { state: 'sent', sentAt: at, error: null })
  await noteStep(tx.db, delivery.id, { step: 'sent', at })
  if (delivery.sentAt === null) await tellAuthor(tx, 'delivered', delivery)
  publishDeliveryChanged(tx, delivery)
}

export async function noteDelayed(
  tx: AppContext,
  delivery: DeliveryFacts,
  reason: string,
): Promise<void> {
  await setOutcome(tx.db, delivery.id, { error: reason })
  await noteDelay(tx.db, delivery.id, { at: tx.now(), reason })
  publishDeliveryChanged(tx, delivery)
}

/** It will not arrive there: its author is told why, always. */
export async function noteFailed(
  tx: AppContext,
  delivery: DeliveryFacts,
  reason: string,
): Promise<void> {
  await setOutcome(tx.db, delivery.id, { state: 'failed', error: reason })
  await noteStep(tx.db, delivery.id, { step: 'failed', at: tx.now(), reason })
  await tellAuthor(tx, 'delivery-failed', delivery)
  publishDeliveryChanged(tx, delivery)
}

/** Its mail is queued again after all: what its author reads says so, on the page too. */
export async function noteQueuedAgain(tx: AppContext, mailIds: readonly string[]): Promise<void> {
  const at = tx.now()
  for (const id of await setQueuedAgain(tx.db, mailIds)) {
    await noteStep(tx.db, id, { step: 'resent', at })
    const delivery = await findDeliveryFacts(tx.db, { id })
    if (delivery) publishDeliveryChanged(tx, delivery)
  }
}

async function tellAuthor(
  tx: AppContext,
  template: 'delivered' | 'delivery-failed',
  { id, authorId }: DeliveryFacts,
): Promise<void> {
  await enqueueMails(tx, template, [{ subjectId: id, recipientId: authorId }])
}
