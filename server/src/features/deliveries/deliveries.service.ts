import { randomUUID } from 'node:crypto'
import { type AppContext, type HookEvents, inTransaction } from '#server/context.ts'
import { AppError, fieldError, notFound } from '#server/errors.ts'
import { recipientFor } from '#server/features/access/access.rules.ts'
import type { KnownEnvelope } from '#server/features/access/envelopes.service.ts'
import {
  personalKeyFor,
  personalLinkOf,
  revokeKey,
} from '#server/features/access/personal-keys.service.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { consumeRecipientQuota } from '#server/features/mails/mail-limits.service.ts'
import { notifyAnnounced } from '#server/features/notifications/news.service.ts'
import { emailKeyOf } from '#server/platform/mail/email-address.ts'
import { enqueueMails, isBeingSent } from '#server/platform/mail/mail-queue.ts'
import { publishDeliveryChanged, publishRevelationChanged } from '#server/platform/pubsub/pubsub.ts'
import { hashToken } from '#server/platform/tokens.ts'
import {
  type Addressed,
  deleteDelivery,
  findDeliveryFacts,
  findSealBrokenAt,
  insertDelivery,
  listAddressed,
  lockDeliveriesOf,
  lockDelivery,
  replanDeliveries,
  resetDelivery,
  setAddressed,
  setCarrier,
  setNotified,
  setOpened,
  setRevoked,
  setSealBroken,
} from './deliveries.repository.ts'
import {
  canReaddress,
  canResend,
  canRevoke,
  type Delivery,
  type DeliveryFacts,
  shouldNotify,
} from './deliveries.rules.ts'
import {
  findDisclosedOpening,
  insertHandedLink,
  setHandedSealBroken,
} from './handed-links.repository.ts'
import { findLastResending, insertStep, listDeliveries } from './journal.repository.ts'
import { deleteMailed } from './mailed-checkpoints.repository.ts'
import { listRecentRecipients, type RecentRecipient } from './recent-recipients.repository.ts'

export type { Delivery }

const BETWEEN_RESENDINGS_MS = 10 * 60_000

/** On `onSealed`: plans the delivery to each recipient; the author is mailed that the letter is sealed. */
export async function planDeliveries(
  tx: AppContext,
  { authorId, recipients, revelationId, revealAt }: HookEvents['onSealed'],
): Promise<void> {
  for (const [position, recipient] of recipients.entries()) {
    await planDelivery(tx, { revelationId, revealAt }, { ...recipient, position })
  }
  await enqueueMails(tx, 'sealed', [{ subjectId: revelationId, recipientId: authorId }])
}

async function planDelivery(
  tx: AppContext,
  { revelationId, revealAt }: { revelationId: string; revealAt: Date },
  addressed: Addressed,
): Promise<void> {
  const id = randomUUID()
  const keyHash = hashToken(personalKeyFor(tx, id))
  await insertDelivery(tx.db, { id, revelationId, dueAt: revealAt, keyHash, ...addressed })
  await insertStep(tx.db, id, { step: 'planned', at: tx.now() })
}

/**
 * On `onMoved`: deliveries follow the date and the recipients. A new one has had no notice: they may get one, and see nothing
 * until then. The link of whoever is none any more, if they were handed one, is revoked.
 */
export async function moveDeliveries(
  tx: AppContext,
  { revelationId, revealAt, recipients }: HookEvents['onMoved'],
): Promise<void> {
  const deliveries = await lockDeliveriesOf(tx.db, revelationId)
  const remaining = new Set(recipients.map(({ deliveryId }) => deliveryId))
  for (const delivery of deliveries.filter(({ id }) => !remaining.has(id))) {
    await revokeKey(tx, delivery)
    await deleteDelivery(tx.db, delivery.id)
  }
  await replanDeliveries(tx.db, revelationId, revealAt)
  const known = new Map(deliveries.map((delivery) => [delivery.id, delivery]))
  for (const [position, { deliveryId, isNew, address, addressKey, name }] of recipients.entries()) {
    const addressed = { position, address, addressKey, name }
    if (deliveryId === undefined) await planDelivery(tx, { revelationId, revealAt }, addressed)
    else {
      await setAddressed(tx.db, deliveryId, addressed)
      if (!isNew) continue
      const former = known.get(deliveryId)
      if (former && former.handedAt !== null) await revokeKey(tx, former)
      await setNotified(tx.db, deliveryId, null)
      await deleteMailed(tx.db, deliveryId)
      await insertStep(tx.db, deliveryId, { step: 'readdressed', at: tx.now() })
    }
  }
}

/** Whom this account wrote to lately, the latest first. */
export async function getRecentRecipients(
  ctx: AppContext,
  actor: Actor,
): Promise<RecentRecipient[]> {
  return listRecentRecipients(ctx.db, actor.userId)
}

/** The deliveries of these revelations with their journals, by revelation; the first recipient first. */
export async function getDeliveries(
  ctx: AppContext,
  revelationIds: readonly string[],
): Promise<Map<string, Delivery[]>> {
  if (revelationIds.length === 0) return new Map()
  const deliveries = await listDeliveries(ctx.db, { revelationIds })
  return Map.groupBy(deliveries, ({ revelationId }) => revelationId)
}

/** The delivery that this reader is the addressee of, by its key or by the address of their account. */
export function ownDelivery({ envelope, relation }: KnownEnvelope): string | undefined {
  return recipientFor(relation, envelope)?.deliveryId
}

/** What a mail about a delivery may say; undefined once it is gone. */
export async function findDelivery(
  ctx: AppContext,
  deliveryId: string,
): Promise<DeliveryFacts | undefined> {
  return findDeliveryFacts(ctx.db, { id: deliveryId })
}

/**
 * Records that the addressee of a delivery broke the seal, and returns when they first did. Only the first act may tell the
 * author: one that was kept quiet stays so. By the link that was given by hand each act is as the first, unless the author
 * was told: they have that link, and would learn of a quiet one by its answer.
 */
export async function recordOpening(
  tx: AppContext,
  deliveryId: string,
  { tellsAuthor, isByHand }: { tellsAuthor: boolean; isByHand: boolean },
): Promise<Date> {
  const at = tx.now()
  if (isByHand) {
    const isDisclosed = tellsAuthor && (await discloseOpening(tx, deliveryId, at))
    await setHandedSealBroken(tx.db, deliveryId, { sealBrokenAt: at, isDisclosed })
    return (await findDisclosedOpening(tx.db, deliveryId)) ?? at
  }
  if (!(await setSealBroken(tx.db, deliveryId, at)))
    return (await findSealBrokenAt(tx.db, deliveryId)) ?? at
  if (tellsAuthor) await discloseOpening(tx, deliveryId, at)
  return at
}

/** Returns false when they were told before. */
async function discloseOpening(tx: AppContext, deliveryId: string, at: Date): Promise<boolean> {
  if (!(await setOpened(tx.db, deliveryId, at))) return false
  await insertStep(tx.db, deliveryId, { step: 'opened', at })
  const delivery = await findDeliveryFacts(tx.db, { id: deliveryId })
  if (delivery) publishDeliveryChanged(tx, delivery)
  return true
}

/**
 * Queues the notice to each recipient. Returns false when there is none to send: already sent, already revealed, or the
 * recipient is the author. `forbidden` to anyone but the author.
 */
export async function notifyRecipients(
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
    const notifiable = deliveries.filter((delivery) => shouldNotify(delivery, at))
    for (const { id } of notifiable) {
      await setNotified(tx.db, id, at)
      await insertStep(tx.db, id, { step: 'notified', at })
    }
    const senderId = actor.userId
    await enqueueMails(
      tx,
      'notice',
      notifiable.map(({ id }) => ({ subjectId: id, senderId })),
    )
    await notifyAnnounced(
      tx,
      notifiable.map(({ id }) => id),
    )
    return notifiable.length > 0
  })
}

/**
 * Changes the address of a delivery as long as nothing says that it was read there; after the reveal, the mail leaves at
 * once. Keys that somebody may have are revoked. Without a name it keeps that of the former address.
 */
export async function readdress(
  ctx: AppContext,
  actor: Actor,
  id: string,
  { address, name }: { address: string; name?: string | null | undefined },
): Promise<Delivery> {
  return changeOwn(ctx, actor, id, async (tx, delivery) => {
    if (!canReaddress(delivery)) throw new AppError('already_delivered')
    const key = emailKeyOf(address)
    const recipients = await listAddressed(tx.db, delivery.revelationId)
    if (key !== delivery.addressKey && recipients.some(({ addressKey }) => addressKey === key))
      throw fieldError('address', 'Cette lettre est déjà envoyée à cette adresse')
    await consumeRecipientQuota(tx, actor, [address])
    if (mayBeKnown(delivery)) await revokeKey(tx, delivery)
    await setAddressed(tx.db, id, {
      address,
      addressKey: key,
      ...(name !== undefined && { name: name || null }),
    })
    await resetDelivery(tx.db, id)
    await insertStep(tx.db, id, { step: 'readdressed', at: tx.now() })
  })
}

/** Whether somebody may have one of its links. */
function mayBeKnown({ mailId, sentAt, handedAt }: DeliveryFacts): boolean {
  return mailId !== null || sentAt !== null || handedAt !== null
}

/**
 * The link of a delivery for its author to give by hand, before the instant or after it, always the same until it is
 * revoked; a new one then.
 */
export async function handOver(
  ctx: AppContext,
  actor: Actor,
  id: string,
): Promise<{ delivery: Delivery; url: string }> {
  let url = ''
  const delivery = await changeOwn(ctx, actor, id, async (tx, facts) => {
    const { keyVersion, revelationId } = facts
    url = personalLinkOf(tx, facts, true)
    const keyHash = hashToken(personalKeyFor(tx, id, keyVersion, true))
    const at = tx.now()
    if (await insertHandedLink(tx.db, { deliveryId: id, keyHash, handedAt: at }))
      await insertStep(tx.db, id, { step: 'handed', at })
    tx.log.info({ deliveryId: id, revelationId }, 'a personal link is given by hand')
  })
  return { delivery, url }
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
    await insertStep(tx.db, id, { step: 'resent', at })
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

/** Revokes the personal keys that were sent or given by hand. Idempotent. */
export async function revoke(ctx: AppContext, actor: Actor, id: string): Promise<Delivery> {
  return changeOwn(ctx, actor, id, async (tx, delivery) => {
    if (delivery.revokedAt !== null && delivery.handedAt === null) return
    if (!canRevoke(delivery)) throw new AppError('not_delivered')
    const { mailId, sentAt } = delivery
    // It carries the link that would be revoked, and would be noted as any other that left.
    if (mailId && sentAt === null && (await isBeingSent(tx.db, mailId)))
      throw new AppError('in_progress', {
        message:
          'La lettre part par e-mail en ce moment même, et son lien n’est pas encore désactivé. Réessayez dans un instant.',
      })
    await revokeKey(tx, delivery)
    // Of a mail that is still to leave, the link is the next one.
    if (sentAt !== null && delivery.revokedAt === null) await setRevoked(tx.db, id, tx.now())
    await insertStep(tx.db, id, { step: 'revoked', at: tx.now() })
  })
}

/** Only the author of a delivery learns its id: for anybody else it is `not_found`. */
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
