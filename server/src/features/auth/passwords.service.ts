import type { ChangePasswordInput } from '#contract/auth.ts'
import { type AppContext, inTransaction } from '#server/context.ts'
import { AppError } from '#server/errors.ts'
import { enqueueMails } from '#server/platform/mail/mail-queue.ts'
import { hashPassword } from '#server/platform/passwords/passwords.ts'
import { publishSessionsEnded } from '#server/platform/pubsub/pubsub.ts'
import { endLinksOf, takePasswordRequest } from './account-links.repository.ts'
import { createLink, requireLink, takeLink } from './account-links.service.ts'
import {
  deleteSessionsOf,
  findUserByEmailKey,
  lockUser,
  setEmailVerified,
  setLockMailed,
  setPasswordHash,
  setRefusedEmailKeys,
} from './auth.repository.ts'
import { mayMailLock } from './auth.rules.ts'
import { getUser } from './auth.service.ts'
import type { Actor } from './auth.session.ts'
import { setAddressEnded } from './calendar-addresses.repository.ts'
import {
  askerAt,
  forgetTriesOf,
  lockSamePassword,
  rememberNetwork,
  requirePassword,
} from './password-tries.service.ts'

/** `wrong_password` when the current one is not right; whatever else is open under the one of before ends. */
export async function changePassword(
  ctx: AppContext,
  actor: Actor,
  input: ChangePasswordInput,
): Promise<void> {
  const user = await getUser(ctx, actor.userId)
  const given = { password: input.currentPassword, field: 'currentPassword' }
  await requirePassword(ctx, actor, user, given)
  const passwordHash = await hashPassword(input.newPassword, askerAt(ctx, actor.ip, true))
  await inTransaction(ctx, async (tx) => {
    await lockSamePassword(tx, user, given.field)
    await replacePassword(tx, user.id, passwordHash, actor.sessionId)
  })
}

/** Ends every session but the one kept and the address of the calendar, and mails the person what happened. */
async function replacePassword(
  tx: AppContext,
  userId: string,
  passwordHash: string,
  keptSessionId: string | null,
): Promise<void> {
  await setPasswordHash(tx.db, userId, passwordHash)
  await deleteSessionsOf(tx.db, userId, { except: keptSessionId })
  const isFeedEnded = await setAddressEnded(tx.db, userId, tx.now())
  publishSessionsEnded(tx, userId)
  // Whoever knew the password of before may have asked for another address.
  await endLinksOf(tx.db, userId, ['reset_password', 'change_email'], tx.now())
  // What this change ended, and no other: it is known now alone.
  const template = isFeedEnded ? 'password-changed-feed-ended' : 'password-changed'
  await enqueueMails(tx, template, [{ subjectId: userId, recipientId: userId }])
}

/**
 * Mails a link to choose another password, if the address has an account and room for one today; that tries locked it is told
 * once a day.
 */
export async function mailPasswordLink(ctx: AppContext, requestId: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const request = await takePasswordRequest(tx.db, requestId)
    const found = request && (await findUserByEmailKey(tx.db, request.emailKey))
    const user = found && (await lockUser(tx.db, found.id))
    if (user?.emailKey !== request?.emailKey || !user) return
    const isLock = request?.reason === 'locked'
    if (isLock && !mayMailLock(user.lockMailedAt, tx.now())) return
    const { email, emailKey } = user
    const linkId = await createLink(tx, user.id, { kind: 'reset_password', email, emailKey })
    if (!linkId) return
    if (isLock) await setLockMailed(tx.db, user.id, tx.now())
    const template = isLock ? 'sign-in-locked' : 'reset-password'
    await enqueueMails(tx, template, [{ subjectId: linkId, recipientId: user.id }])
  })
}

/**
 * Sets the password of the account a link was mailed to. Every session ends, and the address is verified and no
 * longer refused: whoever holds the link reads its mails, and the account is theirs now. From here they may sign in,
 * whoever goes on trying to.
 */
export async function resetPassword(
  ctx: AppContext,
  { token, password }: { token: string; password: string },
  ip: string,
): Promise<void> {
  // Before the costly hash: a link that opens nothing is refused for next to nothing.
  await requireLink(ctx, token, ['reset_password'])
  const passwordHash = await hashPassword(password, askerAt(ctx, ip, true))
  await inTransaction(ctx, async (tx) => {
    const { link, user } = await takeLink(tx, token, ['reset_password'])
    if (link.emailKey !== user.emailKey) throw new AppError('link_expired')
    await setEmailVerified(tx.db, user.id, tx.now())
    const refused = user.refusedEmailKeys.filter((emailKey) => emailKey !== user.emailKey)
    await setRefusedEmailKeys(tx.db, user.id, refused)
    await forgetTriesOf(tx, user)
    await rememberNetwork(tx, user.id, ip)
    await replacePassword(tx, user.id, passwordHash, null)
  })
}
