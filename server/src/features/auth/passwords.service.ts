import type { ChangePasswordInput } from '#contract/auth.ts'
import { type AppContext, inTransaction } from '#server/context.ts'
import { AppError } from '#server/errors.ts'
import { enqueueMails } from '#server/platform/mail/mail-queue.ts'
import { hashPassword } from '#server/platform/passwords/passwords.ts'
import { publishSessionsEnded } from '#server/platform/pubsub/pubsub.ts'
import { consumePasswordRequest, endLinksOf } from './account-links.repository.ts'
import { consumeLink, createLink, requireLink } from './account-links.service.ts'
import { deleteTokensOf } from './api-tokens.repository.ts'
import {
  deleteSessionsOf,
  findUserByEmailKey,
  lockUser,
  setEmailVerified,
  setLockMailed,
  setPasswordHash,
  setRefusedEmailKeys,
} from './auth.repository.ts'
import { canMailLock } from './auth.rules.ts'
import { getUser } from './auth.service.ts'
import type { Actor } from './auth.session.ts'
import { setAddressEnded } from './calendar-addresses.repository.ts'
import {
  callerAt,
  clearTriesOf,
  lockSamePassword,
  requirePassword,
  storeNetwork,
} from './password-tries.service.ts'

/** `wrong_password` when the current one is not right. Every other session ends. */
export async function changePassword(
  ctx: AppContext,
  actor: Actor,
  input: ChangePasswordInput,
): Promise<void> {
  const user = await getUser(ctx, actor.userId)
  const current = { password: input.currentPassword, field: 'currentPassword' }
  await requirePassword(ctx, actor, user, current)
  const passwordHash = await hashPassword(input.newPassword, callerAt(ctx, actor.ip, true))
  await inTransaction(ctx, async (tx) => {
    await lockSamePassword(tx, user, current.field)
    await replacePassword(tx, user.id, passwordHash, actor.sessionId)
  })
}

/** Ends the address of the calendar, the tokens of the API and every session but one, and mails the person what happened. */
async function replacePassword(
  tx: AppContext,
  userId: string,
  passwordHash: string,
  currentSessionId: string | null,
): Promise<void> {
  await setPasswordHash(tx.db, userId, passwordHash)
  await deleteSessionsOf(tx.db, userId, { except: currentSessionId })
  // Whoever knew the old password may have created one.
  await deleteTokensOf(tx.db, userId)
  const isFeedEnded = await setAddressEnded(tx.db, userId, tx.now())
  publishSessionsEnded(tx, userId)
  // Somebody who knew the old password may have requested another address.
  await endLinksOf(tx.db, userId, ['reset_password', 'change_email'], tx.now())
  // Only now is known what this change ended.
  const template = isFeedEnded ? 'password-changed-feed-ended' : 'password-changed'
  await enqueueMails(tx, template, [{ subjectId: userId, recipientId: userId }])
}

/**
 * Mails a link to choose another password, if the address has an account and is below its limit of the day; about a locked
 * account, once a day.
 */
export async function sendPasswordLink(ctx: AppContext, requestId: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const request = await consumePasswordRequest(tx.db, requestId)
    const found = request && (await findUserByEmailKey(tx.db, request.emailKey))
    const user = found && (await lockUser(tx.db, found.id))
    if (user?.emailKey !== request?.emailKey || !user) return
    const isLock = request?.reason === 'locked'
    if (isLock && !canMailLock(user.lockMailedAt, tx.now())) return
    const { email, emailKey } = user
    const linkId = await createLink(tx, user.id, { kind: 'reset_password', email, emailKey })
    if (!linkId) return
    if (isLock) await setLockMailed(tx.db, user.id, tx.now())
    const template = isLock ? 'sign-in-locked' : 'reset-password'
    await enqueueMails(tx, template, [{ subjectId: linkId, recipientId: user.id }])
  })
}

/**
 * Sets the password with a mailed link. Every session ends; the address is verified and no longer refused, because the
 * bearer of the link reads its mails. From this network they may sign in, however many tries others make.
 */
export async function resetPassword(
  ctx: AppContext,
  { token, password }: { token: string; password: string },
  ip: string,
): Promise<void> {
  // Before the costly hash: refusing an ended link costs next to nothing.
  await requireLink(ctx, token, ['reset_password'])
  const passwordHash = await hashPassword(password, callerAt(ctx, ip, true))
  await inTransaction(ctx, async (tx) => {
    const { link, user } = await consumeLink(tx, token, ['reset_password'])
    if (link.emailKey !== user.emailKey) throw new AppError('link_expired')
    await setEmailVerified(tx.db, user.id, tx.now())
    const refused = user.refusedEmailKeys.filter((emailKey) => emailKey !== user.emailKey)
    await setRefusedEmailKeys(tx.db, user.id, refused)
    await clearTriesOf(tx, user)
    await storeNetwork(tx, user.id, ip)
    await replacePassword(tx, user.id, passwordHash, null)
  })
}
