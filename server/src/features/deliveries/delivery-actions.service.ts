import { type AppContext, inTransaction } from '#server/context.ts'
import { AppError, fieldError, notFound } from '#server/errors.ts'
import { revokeKey } from '#server/features/access/personal-keys.service.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { consumeRecipientQuota } from '#server/features/mails/addressees.service.ts'
import { emailKeyOf } from '#server/platform/mail/email-address.ts'
import { enqueueMails } from '#server/platform/mail/mail-queue.ts'
import { publishRevelationChanged } from '#server/platform/pubsub/pubsub.ts'
import {
  lockDeliveriesOf,
  lockDelivery,
  restart,
  setAddress,
  setCarrier,
  setNotified,
  setRevoked,
} from './deliveries.repository.ts'
import {
  canReaddress,
  canResend,
  canRevoke,
  type DeliveryFacts,
  shouldNotify,
} from './deliveries.rules.ts'
import type { Delivery } from './deliveries.service.ts'
import { findLastResending, listDeliveries, noteStep } from './journal.repository.ts'

const BETWEEN_RESENDINGS_MS = 10 * 60_000

/**
 * Queues the notice to each addressee; false when there is nothing to tell: already told, already revealed, or the
 * addressee is the author. `forbidden` to anyone but the author.
 */
export async function notifyAddressees(
  ctx: AppContext,
  actor: Actor,
  revelationId: string,
): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    const deliveries = await lockDeliveriesOf(tx.db, revelationId)
    const [first] = deliveries
    if (!first) throw notFound()
    if (first.authorId !== actor.userId) throw new AppError('forbidden')
    const at = tx.now()
    const untold = deliveries.filter((delivery) => shouldNotify(delivery, at))
    for (const { id } of untold) {
      await setNotified(tx.db, id, at)
      await noteStep(tx.db, id, { step: 'notified', at })
    }
    const senderId = actor.userId
    await enqueueMails(
      tx,
      'notice',
      untold.map(({ id }) => ({ subjectId: id, senderId })),
    )
    return untold.length > 0
  })
}

/**
 * Sends it elsewhere, as long as it was not delivered: at once when the instant has come. What may have reached the
 * former address opens nothing any more.
 */
export async function readdress(
  ctx: AppContext,
  actor: Actor,
  id: string,
  address: string,
): Promise<Delivery> {
  return changeOwn(ctx, actor, id, async (tx, delivery) => {
    if (!canReaddress(delivery)) throw new AppError('already_delivered')
    const key = emailKeyOf(address)
    if (key === delivery.otherAddressKey)
      throw fieldError('address', 'Cette révélation est déjà envoyée à cette adresse')
    await consumeRecipientQuota(tx, actor, [address])
    if (delivery.mailId !== null || delivery.sentAt !== null) await revokeKey(tx, delivery)
    await setAddress(tx.db, delivery, { email: address, key })
    await restart(tx.db, id)
    await noteStep(tx.db, id, { step: 'readdressed', at: tx.now() })
  })
}

/** Sends the personal link again, in another mail; a new link if the former was revoked. */
export async function resend(ctx: AppContext, actor: Actor, id: string): Promise<Delivery> {
  return changeOwn(ctx, actor, id, async (tx, delivery) => {
    if (!canResend(delivery)) throw new AppError('not_delivered')
    const at = tx.now()
    await requirePause(tx, id, at)
    const [mailId = ''] = await enqueueMails(tx, 'delivery', [
      { subjectId: id, senderId: actor.userId },
    ])
    await setCarrier(tx.db, delivery, mailId)
    await noteStep(tx.db, id, { step: 'resent', at })
  })
}

async function requirePause(tx: AppContext, id: string, now: Date): Promise<void> {
  const last = await findLastResending(tx.db, id)
  if (!last) return
  const waitMs = last.getTime() + BETWEEN_RESENDINGS_MS - now.getTime()
  if (waitMs > 0)
    throw new AppError('too_many_requests', {
      message: 'Ce lien vient d’être renvoyé. Patientez dix minutes avant de recommencer.',
      retryAfterSeconds: Math.ceil(waitMs / 1000),
    })
}

/** Makes the link that was sent open nothing any more. Twice is once. */
export async function revoke(ctx: AppContext, actor: Actor, id: string): Promise<Delivery> {
  return changeOwn(ctx, actor, id, async (tx, delivery) => {
    if (delivery.revokedAt !== null) return
    if (!canRevoke(delivery)) throw new AppError('not_delivered')
    await revokeKey(tx, delivery)
    await setRevoked(tx.db, id, tx.now())
    await noteStep(tx.db, id, { step: 'revoked', at: tx.now() })
  })
}

/** Nobody but its author is ever told the id of a delivery: to anybody else, there is none. */
async function changeOwn(
  ctx: AppContext,
  actor: Actor,
  id: string,
  change: (tx: AppContext, delivery: DeliveryFacts) => Promise<void>,
): Promise<Delivery> {
  return inTransaction(ctx, async (tx) => {
    const delivery = await lockDelivery(tx.db, id)
    if (delivery?.authorId !== actor.userId) throw notFound()
    if (delivery.hiddenAt !== null) throw new AppError('under_review')
    await change(tx, delivery)
    publishRevelationChanged(tx, { id: delivery.revelationId, authorId: actor.userId }, 'state')
    const [changed] = await listDeliveries(tx.db, { ids: [id] })
    if (!changed) throw notFound()
    return changed
  })
}
