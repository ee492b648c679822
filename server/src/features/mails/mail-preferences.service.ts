import { createHmac } from 'node:crypto'
import { OFF_AT_FIRST, PREFERENCES, type Preferences } from '#contract/subscriptions.ts'
import type { AppContext } from '#server/context.ts'
import { emailKeyOf } from '#server/platform/mail/email-address.ts'
import {
  deleteSuppression,
  findPreferences,
  hasSuppression,
  insertSuppression,
  type SuppressionReason,
  upsertPreferences,
} from './mail-preferences.repository.ts'

/** The switches of an account, most of them for a kind of mail: as they are at first until it chooses. */
export async function getPreferences(ctx: AppContext, userId: string): Promise<Preferences> {
  return preferencesOf(await findPreferences(ctx.db, userId))
}

/** Changes the given preferences and leaves the others. */
export async function updatePreferences(
  ctx: AppContext,
  userId: string,
  input: { [name in keyof Preferences]?: boolean | undefined },
): Promise<Preferences> {
  const chosen = PREFERENCES.flatMap((name) =>
    input[name] === undefined ? [] : [[name, input[name]] as const],
  )
  return preferencesOf(await upsertPreferences(ctx.db, userId, Object.fromEntries(chosen)))
}

function preferencesOf(row: Preferences | undefined): Preferences {
  const entries = PREFERENCES.map((name) => [name, row?.[name] ?? !OFF_AT_FIRST.includes(name)])
  return Object.fromEntries(entries) as Preferences
}

/** The keyed hash that stands for an address in the database: the same for every spelling, and of no use without the key. */
export function hashOfAddress(ctx: AppContext, address: string): Buffer {
  return createHmac('sha256', ctx.keyring.secretFor('addresses'))
    .update(emailKeyOf(address))
    .digest()
}

export async function isSuppressed(ctx: AppContext, address: string): Promise<boolean> {
  return hasSuppression(ctx.db, hashOfAddress(ctx, address))
}

/**
 * Stops every mail to an address, but those about the safety of its account. What learns that an address is dead (a bounce
 * in a mailbox, a webhook) calls this with `bounced`.
 */
export async function suppressAddress(
  tx: AppContext,
  address: string,
  reason: SuppressionReason,
): Promise<void> {
  const addressHash = hashOfAddress(tx, address)
  await insertSuppression(tx.db, { addressHash, reason, createdAt: tx.now() })
}

export async function unsuppressAddress(tx: AppContext, address: string): Promise<void> {
  await deleteSuppression(tx.db, hashOfAddress(tx, address))
}
