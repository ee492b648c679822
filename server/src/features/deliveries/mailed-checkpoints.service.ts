import type { AppContext } from '#server/context.ts'
import { addressedDelivery } from '#server/features/access/access.rules.ts'
import type { KnownEnvelope } from '#server/features/access/envelopes.service.ts'
import { isSavedByHand } from '#server/features/access/saved-letters.service.ts'
import type { MailOutcome } from '#server/features/mails/mails.service.ts'
import { emailKeyOf } from '#server/platform/mail/email-address.ts'
import {
  insertMailedToAddressee,
  insertMailedToAuthor,
  listMailed,
} from './mailed-checkpoints.repository.ts'

/**
 * A letter has a handful. Each is thirty hashes at most, in a log of a billion leaves: a proof stays below 100 kB, however often a
 * link is sent again. The newest, since a mailbox that has an older one was mailed these too.
 */
const MAX_SIZES = 64

/** Notes which checkpoint left with a mail to an addressee. */
export async function recordMailedToAddressee(
  tx: AppContext,
  deliveryId: string,
  outcome: MailOutcome,
): Promise<void> {
  if (outcome.state !== 'sent' || !outcome.witness) return
  const { to, size } = outcome.witness
  await insertMailedToAddressee(tx.db, { deliveryId, addressKey: emailKeyOf(to), size })
}

/** The same of a mail to the author. */
export async function recordMailedToAuthor(
  tx: AppContext,
  revelationId: string,
  outcome: MailOutcome,
): Promise<void> {
  if (outcome.state !== 'sent' || !outcome.witness) return
  await insertMailedToAuthor(tx.db, { revelationId, size: outcome.witness.size })
}

/**
 * The sizes of the log that were mailed to this very viewer with the letter. A size tells when a mail left: nobody is told
 * those of another mailbox, and whoever has the link that was given by hand not even those of its delivery.
 */
export async function listMailedSizes(
  ctx: AppContext,
  known: Omit<KnownEnvelope, 'keyHolder'> & Partial<Pick<KnownEnvelope, 'keyHolder'>>,
): Promise<number[]> {
  const { isAuthor } = known.relation
  const deliveryIds = await listMailedDeliveries(ctx, known)
  if (!isAuthor && deliveryIds.length === 0) return []
  const to = { revelationId: known.envelope.id, isToAuthor: isAuthor, deliveryIds }
  return listMailed(ctx.db, to, MAX_SIZES)
}

async function listMailedDeliveries(
  ctx: AppContext,
  { actor, envelope, relation, keyHolder }: Parameters<typeof listMailedSizes>[1],
): Promise<string[]> {
  const byKey = keyHolder?.revelationId === envelope.id ? keyHolder : undefined
  const addressed = addressedDelivery(actor, envelope)
  const joined = relation.deliveryIds.find((id) => id !== byKey?.deliveryId && id !== addressed)
  const isJoined = joined && actor && !(await isSavedByHand(ctx, actor, envelope.id))
  return [
    ...(byKey && !byKey.isHanded ? [byKey.deliveryId] : []),
    ...(addressed ? [addressed] : []),
    ...(isJoined ? [joined] : []),
  ]
}
