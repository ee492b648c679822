import { createHash, createHmac, randomUUID } from 'node:crypto'
import { type AppContext, inTransaction } from '#server/context.ts'
import { publishDeliveryChanged } from '#server/platform/events/events.ts'
import { queueMails } from '#server/platform/mail/mail-queue.ts'
import {
  deleteDelivery,
  findDeliveryFacts,
  insertDelivery,
  lockDeliveriesOf,
  replanDeliveries,
  setNotified,
  setOpened,
} from './deliveries.repository.ts'
import type { DeliveryFacts, Rank } from './deliveries.rules.ts'
import { listDeliveries, noteStep } from './journal.repository.ts'
import type { Delivery } from './journal.rules.ts'
import { findDeliveryByKey, isKeyRevokedFor, replaceKey } from './keys.repository.ts'
import { deliveryOfKeyName, keyNameOf } from './personal-keys.rules.ts'

export type { Delivery, Rank }

interface Plan {
  revelationId: string
  dueAt: Date
  hasSecond: boolean
}

/** Who holds a living key of a delivery. `keyName` goes with it: the next key has another. */
export interface KeyHolder {
  keyName: string
  deliveryId: string
  rank: Rank
  revelationId: string
}

/**
 * The key in the link of the delivery mail, always the same so that a mail sent twice carries the same link, until it
 * is revoked. Nothing but its hash is kept.
 */
export function personalKeyFor(ctx: AppContext, deliveryId: string, version = 1): string {
  const secret = ctx.keyring.secretFor('delivery-links')
  return createHmac('sha256', secret).update(keyNameOf(deliveryId, version)).digest('base64url')
}

function hashOfKey(personalKey: string): Buffer {
  return createHash('sha256').update(personalKey).digest()
}

/** To be called in the transaction that creates the revelation; its author is told that it is sealed. */
export async function planDeliveries(
  tx: AppContext,
  { authorId, ...plan }: Plan & { authorId: string },
): Promise<void> {
  await planDelivery(tx, 'first', plan)
  if (plan.hasSecond) await planDelivery(tx, 'second', plan)
  const { revelationId } = plan
  await queueMails(tx, 'sealed', [{ subjectId: revelationId, recipientId: authorId }])
}

async function planDelivery(
  tx: AppContext,
  rank: Rank,
  { revelationId, dueAt }: Omit<Plan, 'hasSecond'>,
): Promise<void> {
  const id = randomUUID()
  const keyHash = hashOfKey(personalKeyFor(tx, id))
  await insertDelivery(tx.db, { id, revelationId, rank, dueAt, keyHash })
  await noteStep(tx.db, id, { step: 'planned', at: tx.now() })
}

/**
 * To be called in the transaction that changes the date or an address, before the instant. A new addressee was told
 * nothing yet: they may be, and until then see nothing.
 */
export async function moveDeliveries(
  tx: AppContext,
  { isNew, ...plan }: Plan & { isNew: Record<Rank, boolean> },
): Promise<void> {
  const deliveries = await lockDeliveriesOf(tx.db, plan.revelationId)
  await replanDeliveries(tx.db, plan.revelationId, plan.dueAt)
  const at = tx.now()
  for (const { id, rank } of deliveries) {
    if (rank === 'second' && !plan.hasSecond) await deleteDelivery(tx.db, id)
    else if (isNew[rank]) {
      await setNotified(tx.db, id, null)
      await noteStep(tx.db, id, { step: 'readdressed', at })
    }
  }
  const hadSecond = deliveries.some(({ rank }) => rank === 'second')
  if (plan.hasSecond && !hadSecond) await planDelivery(tx, 'second', plan)
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

/** Whose living key this is; a revoked one is nobody's. It says nothing about the instant. */
export async function findKeyHolder(
  ctx: AppContext,
  rawKey: string,
): Promise<KeyHolder | undefined> {
  const row = await findDeliveryByKey(ctx.db, { keyHash: hashOfKey(rawKey) })
  return row && { ...row, deliveryId: row.id, keyName: keyNameOf(row.id, row.keyVersion) }
}

/** The same by the name a media ticket remembers, as long as this very key was not revoked. */
export async function findKeyHolderByName(
  ctx: AppContext,
  keyName: string,
): Promise<KeyHolder | undefined> {
  const row = await findDeliveryByKey(ctx.db, { id: deliveryOfKeyName(keyName) })
  if (!row || keyNameOf(row.id, row.keyVersion) !== keyName) return undefined
  return { ...row, deliveryId: row.id, keyName }
}

/** Whether this key opened this revelation once, and was revoked. */
export async function isRevokedKey(
  ctx: AppContext,
  rawKey: string,
  revelationId: string,
): Promise<boolean> {
  return isKeyRevokedFor(ctx.db, hashOfKey(rawKey), revelationId)
}

/** Makes the key a delivery has open nothing any more. */
export async function revokeKey(tx: AppContext, delivery: DeliveryFacts): Promise<void> {
  const keyVersion = delivery.keyVersion + 1
  const keyHash = hashOfKey(personalKeyFor(tx, delivery.id, keyVersion))
  await replaceKey(tx.db, delivery, { keyVersion, keyHash }, tx.now())
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
