import type { AppContext } from '#server/context.ts'
import { AppError } from '#server/errors.ts'
import { emailKeyOf } from '#server/features/auth/auth.rules.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import {
  addMails,
  deleteUsesBefore,
  listUsesSince,
  lockWriter,
  saveUses,
} from './addressees.repository.ts'
import { startOfWindow, waitForMail, waitForRoom } from './addressees.rules.ts'
import { hashOfAddress } from './suppression.service.ts'

/**
 * Notes that the actor writes to these addresses, or refuses with `too_many_addressees` (decisions §2: 20 a day, 3
 * before the actor’s own is verified). One’s own address is free. To be called in the transaction that writes them
 * down: the account stays locked until it ends, so that two at once count each other.
 */
export async function requireAddresseeRoom(
  tx: AppContext,
  actor: Actor,
  addresses: readonly string[],
): Promise<void> {
  if (!tx.config.http.rateLimits) return
  const { hashes, isVerified } = await lockForeign(tx, actor, addresses)
  if (hashes.length === 0) return
  const now = tx.now()
  const uses = await listUsesSince(tx.db, actor.userId, startOfWindow(now))
  const waitMs = waitForRoom(hashes, uses, { isVerified, now })
  if (waitMs > 0) throw tooManyAddressees(waitMs, isVerified)
  await saveUses(
    tx.db,
    actor.userId,
    hashes.map((addressHash) => ({ addressHash, usedAt: now })),
  )
}

/**
 * Counts a mail that leaves at once, or soon, for these addresses because the actor asks for it, or refuses with
 * `too_many_addressees`: five a day to the same one. To be called in the transaction that queues it.
 */
export async function requireMailRoom(
  tx: AppContext,
  actor: Actor,
  addresses: readonly string[],
): Promise<void> {
  if (!tx.config.http.rateLimits) return
  const { hashes } = await lockForeign(tx, actor, addresses)
  if (hashes.length === 0) return
  const now = tx.now()
  const counts = await addMails(tx.db, actor.userId, hashes, { now, since: startOfWindow(now) })
  const waitMs = Math.max(...counts.map((count) => waitForMail(count, now)))
  if (waitMs > 0)
    throw new AppError('too_many_addressees', {
      message: 'Vous avez déjà écrit plusieurs fois à cette adresse aujourd’hui. Réessayez demain.',
      retryAfterSeconds: Math.ceil(waitMs / 1000),
    })
}

/** The addresses that are not the actor’s own, by their keyed hashes; the account stays locked. */
async function lockForeign(tx: AppContext, actor: Actor, addresses: readonly string[]) {
  const writer = await lockWriter(tx.db, actor.userId)
  const foreign = new Map(
    addresses
      .filter((address) => emailKeyOf(address) !== writer?.emailKey)
      .map((address) => [emailKeyOf(address), hashOfAddress(tx, address)]),
  )
  return { hashes: [...foreign.values()], isVerified: Boolean(writer?.emailVerifiedAt) }
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
