import { createHmac } from 'node:crypto'
import type { AppContext } from '#server/context.ts'
import { emailKeyOf } from '#server/platform/mail/email-address.ts'
import {
  deleteSuppressed,
  insertSuppressed,
  isAddressSuppressed,
  type SuppressionReason,
} from './suppression.repository.ts'

/** The keyed hash under which an address is remembered: the same for every spelling of it, and nothing without the key. */
export function hashOfAddress(ctx: AppContext, address: string): Buffer {
  return createHmac('sha256', ctx.keyring.secretFor('addresses'))
    .update(emailKeyOf(address))
    .digest()
}

/** Whether whoever reads this address asked for no more mails. */
export async function isSuppressed(ctx: AppContext, address: string): Promise<boolean> {
  return isAddressSuppressed(ctx.db, hashOfAddress(ctx, address))
}

/**
 * No mail goes to this address any more, but what keeps an account of it safe. Whatever learns that an address is dead
 * (a bounce read from a mailbox, a webhook) calls this with `bounced`.
 */
export async function suppressAddress(
  tx: AppContext,
  address: string,
  reason: SuppressionReason,
): Promise<void> {
  const addressHash = hashOfAddress(tx, address)
  await insertSuppressed(tx.db, { addressHash, reason, createdAt: tx.now() })
}

/** Mails may go there again. */
export async function unsuppressAddress(tx: AppContext, address: string): Promise<void> {
  await deleteSuppressed(tx.db, hashOfAddress(tx, address))
}
