import { createHmac } from 'node:crypto'
import type { AppContext } from '#server/context.ts'
import { emailKeyOf } from '#server/features/auth/auth.rules.ts'
import { isAddressSuppressed } from './suppression.repository.ts'

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
