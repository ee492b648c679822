import { randomUUID } from 'node:crypto'
import type { ChangePasswordInput } from '#contract/auth.ts'
import { type AppContext, inTransaction } from '#server/context.ts'
import { AppError } from '#server/errors.ts'
import { publishSessionsEnded } from '#server/platform/events/events.ts'
import { queueMails } from '#server/platform/mail/mail-queue.ts'
import { hashPassword } from '#server/platform/passwords/passwords.ts'
import {
  endLinksOf,
  insertPasswordRequest,
  takePasswordRequest,
} from './account-links.repository.ts'
import { createLink, requireLink, takeLink } from './account-links.service.ts'
import { answerPasswordRequest } from './auth.jobs.ts'
import {
  deleteSessionsOf,
  findUserByEmailKey,
  lockUser,
  setEmailVerified,
  setPasswordHash,
  setRefusedEmailKeys,
} from './auth.repository.ts'
import { emailKeyOf } from './auth.rules.ts'
import { getUser } from './auth.service.ts'
import type { Actor } from './auth.session.ts'
import {
  forgetFailuresOf,
  inTurnOf,
  lockSamePassword,
  requirePassword,
} from './sign-in-failures.service.ts'

/** `wrong_password` when the current one is not right; every other session of the person ends. */
export async function changePassword(
  ctx: AppContext,
  actor: Actor,
  input: ChangePasswordInput,
): Promise<void> {
  const { emailKey } = await getUser(ctx, actor.userId)
  await inTurnOf(emailKey, async () => {
    const user = await getUser(ctx, actor.userId)
    const given = { password: input.currentPassword, field: 'currentPassword' }
    await requirePassword(ctx, user, given)
    const passwordHash = await hashPassword(input.newPassword)
    await inTransaction(ctx, async (tx) => {
      await lockSamePassword(tx, user, given.field)
      await replacePassword(tx, user.id, passwordHash, actor.sessionId)
    })
  })
}

/** Ends every session but the one kept, and mails the person what happened. */
async function replacePassword(
  tx: AppContext,
  userId: string,
  passwordHash: string,
  keptSessionId: string | null,
): Promise<void> {
  await setPasswordHash(tx.db, userId, passwordHash)
  await deleteSessionsOf(tx.db, userId, { except: keptSessionId })
  publishSessionsEnded(tx, userId)
  // Whoever knew the password of before may have asked for another address.
  await endLinksOf(tx.db, userId, ['reset_password', 'change_email'], tx.now())
  await queueMails(tx, 'password-changed', [{ subjectId: userId, recipientId: userId }])
}

/** Notes that a password was forgotten. The same work for any address: whether it has an account is not looked up. */
export async function forgetPassword(ctx: AppContext, email: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const id = randomUUID()
    await insertPasswordRequest(tx.db, { id, emailKey: emailKeyOf(email), createdAt: tx.now() })
    await tx.jobs.enqueue(answerPasswordRequest, { requestId: id })
  })
}

/** Mails a link to choose another password, if the address has an account and room for one today. */
export async function mailPasswordLink(ctx: AppContext, requestId: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const emailKey = await takePasswordRequest(tx.db, requestId)
    const found = emailKey && (await findUserByEmailKey(tx.db, emailKey))
    const user = found && (await lockUser(tx.db, found.id))
    if (!user || user.emailKey !== emailKey) return
    const { email } = user
    const linkId = await createLink(tx, user.id, { kind: 'reset_password', email, emailKey })
    if (linkId)
      await queueMails(tx, 'reset-password', [{ subjectId: linkId, recipientId: user.id }])
  })
}

/**
 * Sets the password of the account a link was mailed to. Every session ends, and the address is verified and no
 * longer refused: whoever holds the link reads its mails, and the account is theirs now.
 */
export async function resetPassword(
  ctx: AppContext,
  { token, password }: { token: string; password: string },
): Promise<void> {
  // Before the costly hash: a link that opens nothing is refused for next to nothing.
  const { emailKey } = await requireLink(ctx, token, ['reset_password'])
  await inTurnOf(emailKey, async () => {
    const passwordHash = await hashPassword(password)
    await inTransaction(ctx, async (tx) => {
      const { link, user } = await takeLink(tx, token, ['reset_password'])
      if (link.emailKey !== user.emailKey) throw new AppError('link_expired')
      await setEmailVerified(tx.db, user.id, tx.now())
      const refused = user.refusedEmailKeys.filter((emailKey) => emailKey !== user.emailKey)
      await setRefusedEmailKeys(tx.db, user.id, refused)
      await forgetFailuresOf(tx, user.emailKey)
      await replacePassword(tx, user.id, passwordHash, null)
    })
  })
}
