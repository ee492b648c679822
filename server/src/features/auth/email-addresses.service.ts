import { type AppContext, inTransaction } from '#server/context.ts'
import { AppError, fieldError, notFound } from '#server/errors.ts'
import { consumeRecipientQuota } from '#server/features/mails/mail-limits.service.ts'
import { isSuppressed } from '#server/features/mails/mail-preferences.service.ts'
import { isUniqueViolation } from '#server/platform/database/sql-errors.ts'
import { emailKeyOf } from '#server/platform/mail/email-address.ts'
import { enqueueMails } from '#server/platform/mail/mail-queue.ts'
import { endLinksOf, type LinkKind, type LinkRow } from './account-links.repository.ts'
import { consumeLink, createLink, requireLink } from './account-links.service.ts'
import {
  findUser,
  lockUser,
  setEmail,
  setEmailVerified,
  setRefusedEmailKeys,
  type UserRow,
} from './auth.repository.ts'
import type { Actor } from './auth.session.ts'
import { lockSamePassword, requirePassword } from './password-tries.service.ts'

/** Kinds of links that prove an address. */
const OF_ADDRESSES: readonly LinkKind[] = ['verify_email', 'change_email']

/**
 * Mails a link that proves the address of an account; the transaction that creates the account may call it. False when the
 * address reached its limit of the day.
 */
export async function requestVerification(tx: AppContext, userId: string): Promise<boolean> {
  const { email, emailKey } = await lockAccount(tx, userId)
  const linkId = await createLink(tx, userId, { kind: 'verify_email', email, emailKey })
  if (linkId) await enqueueMails(tx, 'verify-email', [{ subjectId: linkId, recipientId: userId }])
  return linkId !== undefined
}

/** Mails the actor another such link, unless the address is proved. `mails_stopped` when its reader wants none. */
export async function sendVerification(ctx: AppContext, actor: Actor): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const user = await lockAccount(tx, actor.userId)
    if (user.emailVerifiedAt) return
    if (await isSuppressed(tx, user.email)) throw new AppError('mails_stopped')
    if (!(await requestVerification(tx, user.id))) throw tooManyLinks()
  })
}

/** Proves an address with the link mailed to it. A changed one becomes the address of the account, or `email_taken`. */
export async function verifyEmail(ctx: AppContext, token: string): Promise<UserRow> {
  try {
    return await inTransaction(ctx, async (tx) => {
      const { link, user } = await consumeLink(tx, token, OF_ADDRESSES)
      if (link.kind === 'change_email') await replaceEmail(tx, link)
      else {
        requireSameAddress(link, user)
        await setEmailVerified(tx.db, user.id, tx.now())
      }
      return lockAccount(tx, user.id)
    })
  } catch (error) {
    throw isUniqueViolation(error) ? new AppError('email_taken') : error
  }
}

function requireSameAddress(link: LinkRow, user: UserRow): void {
  if (link.emailKey !== user.emailKey) throw new AppError('link_expired')
}

/**
 * The account and the address that a link would confirm. Its reader decides whether the account is theirs: anybody may
 * have entered their address, and the account would read what is addressed to them.
 */
export async function readEmailLink(
  ctx: AppContext,
  token: string,
): Promise<{ pseudo: string; email: string }> {
  const link = await requireLink(ctx, token, OF_ADDRESSES)
  const user = await getAccount(ctx, link.userId)
  if (link.kind === 'verify_email') requireSameAddress(link, user)
  return { pseudo: user.pseudo, email: link.email }
}

/** « Ce n’est pas mon compte »: ends the link; this account has no other mailed to the address. */
export async function refuseEmailLink(ctx: AppContext, token: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const { link, user } = await consumeLink(tx, token, OF_ADDRESSES)
    const refused = new Set(user.refusedEmailKeys).add(link.emailKey)
    await setRefusedEmailKeys(tx.db, user.id, [...refused])
  })
}

/** Replaces the address of an account, ends the links to the former one and mails it. */
async function replaceEmail(
  tx: AppContext,
  { id, userId, email, emailKey }: LinkRow,
): Promise<void> {
  const now = tx.now()
  await setEmail(tx.db, userId, { email, emailKey, emailVerifiedAt: now })
  await endLinksOf(tx.db, userId, ['verify_email', 'reset_password'], now)
  await enqueueMails(tx, 'email-changed', [{ subjectId: id, recipientId: userId }])
}

/**
 * Mails a link to the new address and a notice to the present one. Nothing differs for an address that has an account
 * already: its mail is composed when it leaves.
 */
export async function changeEmail(
  ctx: AppContext,
  actor: Actor,
  input: { email: string; password: string },
): Promise<void> {
  const current = { password: input.password, field: 'password' }
  const user = await getAccount(ctx, actor.userId)
  await requirePassword(ctx, actor, user, current)
  await inTransaction(ctx, async (tx) =>
    requestEmailChange(tx, actor, await lockSamePassword(tx, user, current.field), input.email),
  )
}

async function requestEmailChange(
  tx: AppContext,
  actor: Actor,
  user: UserRow,
  email: string,
): Promise<void> {
  if (email === user.email) throw fieldError('email', 'C’est déjà votre adresse e-mail')
  await consumeRecipientQuota(tx, actor, [email])
  const linkId = await createLink(tx, user.id, {
    kind: 'change_email',
    email,
    emailKey: emailKeyOf(email),
    previous: { email: user.email, isProved: user.emailVerifiedAt !== null },
  })
  if (!linkId) throw tooManyLinks()
  await enqueueMails(tx, 'change-email', [{ subjectId: linkId, senderId: user.id }])
  await enqueueMails(tx, 'email-change-asked', [{ subjectId: linkId, recipientId: user.id }])
}

function tooManyLinks(): AppError {
  return new AppError('too_many_requests', {
    message:
      'Cette adresse a déjà reçu plusieurs liens aujourd’hui. Regardez aussi les indésirables\u202F: le vôtre vaut 24\u00A0heures. Sinon, réessayez demain, ou passez par «\u202FMot de passe oublié\u202F», qui vérifie aussi l’adresse.',
    retryAfterSeconds: 24 * 3600,
  })
}

async function getAccount(ctx: AppContext, userId: string): Promise<UserRow> {
  const user = await findUser(ctx.db, userId)
  if (!user) throw notFound()
  return user
}

async function lockAccount(tx: AppContext, userId: string): Promise<UserRow> {
  const user = await lockUser(tx.db, userId)
  if (!user) throw notFound()
  return user
}
