import type { AnyProof } from '#contract/proofs/proof.ts'
import { type AppContext, inTransaction } from '#server/context.ts'
import { AppError, notFound } from '#server/errors.ts'
import { type EnvelopeRow, readVisible } from '#server/features/access/envelopes.service.ts'
import { grantAuthor } from '#server/features/access/grants.service.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { type CheckpointRow, proveLastVersion } from '#server/features/proofs/log.service.ts'
import { enqueueMails, isQueuedFor } from '#server/platform/mail/mail-queue.ts'
import type { ReadingRight } from '#server/platform/sealing/reading-right.ts'
import { openCommitted } from './letters.service.ts'
import { proofOf } from './proof.service.ts'

export const RECEIPT_MAIL = 'receipt'

/** What proves the last version for the first checkpoint that covers it, as that one was signed. */
export interface Receipt {
  proof: AnyProof
  /** The place of the last version in the log. */
  index: number
  checkpoint: CheckpointRow
}

/**
 * The receipt of the last version: the same whenever it is asked for. What was widened or narrowed since is not in it; those of
 * earlier versions are what was downloaded before the edit, which deleted their salts. Without a right it holds no letter.
 * Undefined until the log holds this version; `isWhole` as for a proof.
 */
export async function createReceipt(
  ctx: AppContext,
  envelope: EnvelopeRow,
  right: ReadingRight | undefined,
): Promise<{ receipt: Receipt | undefined; isWhole: boolean }> {
  const { checkpoint, seals } = await proveLastVersion(ctx, envelope.id)
  const last = seals.at(-1)
  const isLast = last?.commitment.equals(envelope.commitment) === true
  const index = last?.index ?? null
  if (!checkpoint || index === null) return { receipt: undefined, isWhole: isLast }
  const opened = right && (await openCommitted(ctx, right, [envelope])).get(envelope.id)
  const proof = proofOf({ envelope, checkpoint, seals, opened })
  return {
    receipt: { proof, index, checkpoint },
    isWhole: isLast && (right === undefined || opened !== undefined),
  }
}

/** The author’s own; `receipt_pending` until the log holds the last version, `not_found` to everybody else. */
export async function getReceipt(ctx: AppContext, actor: Actor, id: string): Promise<AnyProof> {
  const { receipt } = await readOwn(ctx, actor, id, (envelope) =>
    createReceipt(ctx, envelope, grantAuthor(actor, [envelope])),
  )
  if (!receipt) throw new AppError('receipt_pending')
  return receipt.proof
}

async function readOwn<T extends { isWhole: boolean }>(
  ctx: AppContext,
  actor: Actor,
  id: string,
  read: (envelope: EnvelopeRow) => Promise<T>,
): Promise<T> {
  return readVisible(ctx, { actor, deliveryKey: null }, id, ({ envelope, relation }) => {
    if (!relation.isAuthor) throw notFound()
    return read(envelope)
  })
}

/**
 * Queues the mail of a receipt to the author’s own address. Returns false while one that was asked for waits to leave;
 * `forbidden` as long as the address is not verified.
 */
export async function mailReceipt(ctx: AppContext, actor: Actor, id: string): Promise<boolean> {
  const { receipt } = await readOwn(ctx, actor, id, (envelope) =>
    createReceipt(ctx, envelope, undefined),
  )
  if (!receipt) throw new AppError('receipt_pending')
  if (!actor.verifiedEmailKey) throw new AppError('forbidden', { message: UNVERIFIED })
  return inTransaction(ctx, async (tx) => {
    if (await isQueuedFor(tx.db, RECEIPT_MAIL, id)) return false
    await enqueueMails(tx, RECEIPT_MAIL, [{ subjectId: id, recipientId: actor.userId }])
    return true
  })
}

const UNVERIFIED =
  'Votre adresse e-mail n’est pas vérifiée\u202F: le reçu peut déjà être téléchargé. Pour le recevoir, ouvrez d’abord le lien de vérification.'
