import { randomUUID } from 'node:crypto'
import { type AppContext, type HookEvents, inTransaction } from '#server/context.ts'
import type { Rank } from '#server/features/access/personal-keys.rules.ts'
import { hashOfKey, personalKeyFor } from '#server/features/access/personal-keys.service.ts'
import { enqueueMails } from '#server/platform/mail/mail-queue.ts'
import { publishDeliveryChanged } from '#server/platform/pubsub/pubsub.ts'
import {
  deleteDelivery,
  findDeliveryFacts,
  insertDelivery,
  lockDeliveriesOf,
  replanDeliveries,
  setNotified,
  setOpened,
} from './deliveries.repository.ts'
import { listDeliveries, noteStep } from './journal.repository.ts'
import type { Delivery } from './journal.rules.ts'

export type { Delivery }

/** On `onSealed`: plans the delivery to each address; the author is mailed that the letter is sealed. */
export async function planDeliveries(
  tx: AppContext,
  { authorId, hasSecond, ...plan }: HookEvents['onSealed'],
): Promise<void> {
  await planDelivery(tx, 'first', plan)
  if (hasSecond) await planDelivery(tx, 'second', plan)
  await enqueueMails(tx, 'sealed', [{ subjectId: plan.revelationId, recipientId: authorId }])
}

async function planDelivery(
  tx: AppContext,
  rank: Rank,
  { revelationId, revealAt }: { revelationId: string; revealAt: Date },
): Promise<void> {
  const id = randomUUID()
  const keyHash = hashOfKey(personalKeyFor(tx, id))
  await insertDelivery(tx.db, { id, revelationId, rank, dueAt: revealAt, keyHash })
  await noteStep(tx.db, id, { step: 'planned', at: tx.now() })
}

/**
 * On `onMoved`: deliveries follow the date and the addresses. A new recipient was notified of nothing yet: they may be,
 * and until then see nothing.
 */
export async function moveDeliveries(
  tx: AppContext,
  { revelationId, revealAt, hasSecond, isNew }: HookEvents['onMoved'],
): Promise<void> {
  const deliveries = await lockDeliveriesOf(tx.db, revelationId)
  await replanDeliveries(tx.db, revelationId, revealAt)
  const at = tx.now()
  for (const { id, rank } of deliveries) {
    if (rank === 'second' && !hasSecond) await deleteDelivery(tx.db, id)
    else if (isNew[rank]) {
      await setNotified(tx.db, id, null)
      await noteStep(tx.db, id, { step: 'readdressed', at })
    }
  }
  const hadSecond = deliveries.some(({ rank }) => rank === 'second')
  if (hasSecond && !hadSecond) await planDelivery(tx, 'second', { revelationId, revealAt })
}

/** The deliveries of these revelations with their journals, by revelation; the first address first. */
export async function getDeliveries(
  ctx: AppContext,
  revelationIds: readonly string[],
): Promise<Map<string, Delivery[]>> {
  if (revelationIds.length === 0) return new Map()
  const deliveries = await listDeliveries(ctx.db, { revelationIds })
  return Map.groupBy(deliveries, ({ revelationId }) => revelationId)
}

/** « Ouvert »: the first time the letter is read with its key. */
export async function recordOpening(ctx: AppContext, deliveryId: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const at = tx.now()
    if (!(await setOpened(tx.db, deliveryId, at))) return
    await noteStep(tx.db, deliveryId, { step: 'opened', at })
    const delivery = await findDeliveryFacts(tx.db, { id: deliveryId })
    if (delivery) publishDeliveryChanged(tx, delivery)
  })
}
