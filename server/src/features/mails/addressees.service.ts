import type { AppContext } from '#server/context.ts'
import { AppError } from '#server/errors.ts'
import { emailKeyOf } from '#server/platform/mail/email-address.ts'
import { deleteUsesBefore, listUsesSince, lockWriter, saveUses } from './addressees.repository.ts'
import { startOfWindow, waitForRoom } from './addressees.rules.ts'
import { hashOfMailbox } from './mail-limits.service.ts'

/** Who writes to others: an account. */
interface Writer {
  userId: string
}

/**
 * Notes that the writer writes to these addresses, or refuses with `too_many_addressees` (behaviour.md 5.3: 20 a day, 3
 * before the writer’s own is verified). One’s own address is free. To be called in the transaction that writes them
 * down: the account stays locked until it ends, so that two at once count each other.
 */
export async function consumeRecipientQuota(
  tx: AppContext,
  writer: Writer,
  addresses: readonly string[],
): Promise<void> {
  if (!tx.config.http.rateLimits) return
  const { hashes, isVerified } = await lockForeign(tx, writer, addresses)
  if (hashes.length === 0) return
  const now = tx.now()
  const uses = await listUsesSince(tx.db, writer.userId, startOfWindow(now))
  const waitMs = waitForRoom(hashes, uses, { isVerified, now })
  if (waitMs > 0) throw tooManyAddressees(waitMs, isVerified)
  await saveUses(
    tx.db,
    writer.userId,
    hashes.map((addressHash) => ({ addressHash, usedAt: now })),
  )
}

/** The addresses that are not the writer’s own, by their keyed hashes; the account stays locked. */
async function lockForeign(tx: AppContext, { userId }: Writer, addresses: readonly string[]) {
  const account = await lockWriter(tx.db, userId)
  const foreign = new Map(
    addresses
      .filter((address) => emailKeyOf(address) !== account?.emailKey)
      .map((address) => [emailKeyOf(address), hashOfMailbox(tx, address)]),
  )
  return { hashes: [...foreign.values()], isVerified: Boolean(account?.emailVerifiedAt) }
}

function tooManyAddressees(waitMs: number, isVerified: boolean): AppError {
  const retryAfterSeconds = Math.ceil(waitMs / 1000)
  if (isVerified) return new AppError('too_many_addressees', { retryAfterSeconds })
  return new AppError('too_many_addressees', {
    message:
      'Vous avez écrit à 3 adresses différentes aujourd’hui. Vérifiez votre adresse pour écrire à 20 adresses par jour, ou réessayez demain.',
    retryAfterSeconds,
  })
}

/** Forgets uses that no longer count. */
export async function forgetOldUses(ctx: AppContext): Promise<void> {
  await deleteUsesBefore(ctx.db, startOfWindow(ctx.now()))
}
