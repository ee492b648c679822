import { createHmac, randomUUID } from 'node:crypto'
import { type AppContext, inTransaction } from '#server/context.ts'
import { hashToken } from '#server/platform/tokens.ts'
import { lockSignedIn } from './auth.service.ts'
import type { Actor } from './auth.session.ts'
import {
  deleteAddress,
  findAddressByToken,
  findAddressOf,
  replaceAddress,
} from './calendar-addresses.repository.ts'

// The secret address of a calendar needs no session: it is a credential, and ends with the sessions of its account.

/** The token of a person’s active address, or when a sign-out ended it. */
export async function findCalendarToken(
  ctx: AppContext,
  { userId }: Pick<Actor, 'userId'>,
): Promise<{ token: string | null; endedAt: Date | null }> {
  const address = await findAddressOf(ctx.db, userId)
  const endedAt = address?.endedAt ?? null
  return { token: address && !endedAt ? tokenOf(ctx, address.id) : null, endedAt }
}

/** Replaces the token; the former one ends. `unauthenticated` when the session ended meanwhile. */
export async function createCalendarToken(ctx: AppContext, actor: Actor): Promise<string> {
  const id = randomUUID()
  const token = tokenOf(ctx, id)
  const { userId } = actor
  const dates = { createdAt: ctx.now(), endedAt: null }
  await inTransaction(ctx, async (tx) => {
    await lockSignedIn(tx, actor)
    await replaceAddress(tx.db, { userId, id, tokenHash: hashToken(token), ...dates })
  })
  return token
}

export async function revokeCalendarToken(ctx: AppContext, actor: Actor): Promise<void> {
  await deleteAddress(ctx.db, actor.userId)
}

/** The owner of an active token, and when it was created. */
export async function findCalendarOwner(
  ctx: AppContext,
  token: string,
): Promise<{ userId: string; createdAt: Date } | undefined> {
  return findAddressByToken(ctx.db, hashToken(token))
}

/** Whether a sign-out everywhere ended a person’s address, and none was created since. */
export async function isCalendarTokenEnded(ctx: AppContext, userId: string): Promise<boolean> {
  const address = await findAddressOf(ctx.db, userId)
  return address !== undefined && address.endedAt !== null
}

/** Derived from the id: the address can be shown again although only its hash is stored. */
function tokenOf(ctx: AppContext, id: string): string {
  const secret = ctx.keyring.secretFor('calendar-feeds')
  return createHmac('sha256', secret).update(id).digest('base64url')
}
