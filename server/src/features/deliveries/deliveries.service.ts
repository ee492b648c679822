import { createHash, createHmac, randomUUID } from 'node:crypto'
import { type AppContext, inTransaction } from '#server/context.ts'
import { AppError, notFound } from '#server/errors.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { queueMails } from '#server/platform/mail/mail-queue.ts'
import {
  clearNotified,
  type Delivery,
  findDeliveryByKey,
  findDeliveryFacts,
  insertDelivery,
  listDeliveries,
  replanDelivery,
  setNotified,
  setOpened,
  setQueued,
  takeDueDeliveries,
} from './deliveries.repository.ts'
import { shouldNotify } from './deliveries.rules.ts'

export type { Delivery }

const BATCH_SIZE = 100

interface Plan {
  revelationId: string
  dueAt: Date
}

/**
 * The key in the link of the delivery mail, always the same so that a mail sent twice carries the same link.
 * Nothing but its hash is kept.
 */
export function personalKeyFor(ctx: AppContext, deliveryId: string): string {
  const secret = ctx.keyring.secretFor('delivery-links')
  return createHmac('sha256', secret).update(deliveryId).digest('base64url')
}

function hashOfKey(personalKey: string): Buffer {
  return createHash('sha256').update(personalKey).digest()
}

/** To be called in the transaction that creates the revelation. */
export async function planDelivery(tx: AppContext, { revelationId, dueAt }: Plan): Promise<void> {
  const id = randomUUID()
  const keyHash = hashOfKey(personalKeyFor(tx, id))
  await insertDelivery(tx.db, { id, revelationId, dueAt, keyHash })
}

/**
 * To be called in the transaction that changes the date or the address; a delivery that left stays as it is. A new
 * addressee was told nothing yet: they may be, and until then see nothing.
 */
export async function moveDelivery(
  tx: AppContext,
  { revelationId, dueAt, isNewAddressee }: Plan & { isNewAddressee: boolean },
): Promise<void> {
  await replanDelivery(tx.db, revelationId, dueAt)
  if (isNewAddressee) await clearNotified(tx.db, revelationId)
}

/** The journals of these revelations' deliveries, by revelation. */
export async function getDeliveries(
  ctx: AppContext,
  revelationIds: readonly string[],
): Promise<Map<string, Delivery>> {
  const deliveries = await listDeliveries(ctx.db, revelationIds)
  return new Map(deliveries.map((delivery) => [delivery.revelationId, delivery]))
}

/** Whose living key this is; a revoked one is nobody's. It says nothing about the instant. */
export async function findKeyHolder(
  ctx: AppContext,
  rawKey: string,
): Promise<{ deliveryId: string; revelationId: string } | undefined> {
  const delivery = await findDeliveryByKey(ctx.db, { keyHash: hashOfKey(rawKey) })
  return delivery && { deliveryId: delivery.id, revelationId: delivery.revelationId }
}

/** The revelation whose key this delivery carries, as long as it is not revoked. */
export async function isKeyHolderAlive(
  ctx: AppContext,
  deliveryId: string,
): Promise<string | undefined> {
  const delivery = await findDeliveryByKey(ctx.db, { id: deliveryId })
  return delivery?.revelationId
}

/** « Ouvert »: the first time the letter is read with its key. */
export async function recordOpening(ctx: AppContext, deliveryId: string): Promise<void> {
  await setOpened(ctx.db, deliveryId, ctx.now())
}

/** Queues the mail of every delivery whose instant has come, a batch per transaction; returns how many. */
export async function queueDueDeliveries(ctx: AppContext): Promise<number> {
  let total = 0
  while (!ctx.stopping.aborted) {
    const queued = await inTransaction(ctx, queueBatch)
    total += queued
    if (queued < BATCH_SIZE) break
  }
  return total
}

async function queueBatch(tx: AppContext): Promise<number> {
  const due = await takeDueDeliveries(tx.db, tx.now(), BATCH_SIZE)
  const mailIds = await queueMails(
    tx,
    'delivery',
    due.map((subjectId) => ({ subjectId })),
  )
  await setQueued(tx.db, new Map(due.map((id, index) => [id, mailIds[index] ?? ''])))
  return due.length
}

/**
 * Queues the notice to the addressee; false when there is nothing to tell: already told, already revealed, or
 * the addressee is the author. `forbidden` to anyone but the author.
 */
export async function notifyAddressee(
  ctx: AppContext,
  actor: Actor,
  revelationId: string,
): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    const facts = await findDeliveryFacts(tx.db, { revelationId })
    if (!facts) throw notFound()
    if (facts.authorId !== actor.userId) throw new AppError('forbidden')
    if (!shouldNotify(facts, tx.now())) return false
    if (!(await setNotified(tx.db, facts.id, tx.now()))) return false
    await queueMails(tx, 'notice', [{ subjectId: facts.id }])
    return true
  })
}
