import { createHmac } from 'node:crypto'
import type { AppContext } from '#server/context.ts'
import { AppError } from '#server/errors.ts'
import { isPasswordRight } from '#server/platform/passwords/passwords.ts'
import { inTurn } from '#server/platform/turns.ts'
import {
  countFailures,
  deleteFailures,
  insertFailures,
  lockUser,
  type UserRow,
} from './auth.repository.ts'
import { maySignIn, networkOf, SIGN_IN_WINDOW_MS } from './auth.rules.ts'

/** Whose failures are counted, as keyed hashes: a dump tells neither who failed nor from where. */
export interface FailureSubjects {
  account: string
  network: string
}

export function failureSubjects(ctx: AppContext, emailKey: string, ip?: string): FailureSubjects {
  const account = hashOf(ctx, `account:${emailKey}`)
  return { account, network: ip === undefined ? account : hashOf(ctx, `network:${networkOf(ip)}`) }
}

function hashOf(ctx: AppContext, subject: string): string {
  const secret = ctx.keyring.secretFor('sign-in-failures')
  return createHmac('sha256', secret).update(subject).digest('base64url')
}

/**
 * Tries sent all at once are counted like tries sent in turn, and a password that is being changed opens no session
 * meanwhile.
 */
export function inTurnOf<T>(emailKey: string, work: () => Promise<T>): Promise<T> {
  return inTurn(`account/${emailKey}`, work)
}

export async function refuseTooManyFailures(
  ctx: AppContext,
  subjects: FailureSubjects,
): Promise<void> {
  if (!ctx.config.http.rateLimits) return
  const since = new Date(ctx.now().getTime() - SIGN_IN_WINDOW_MS)
  const [account, network] = await Promise.all([
    countFailures(ctx.db, subjects.account, since),
    countFailures(ctx.db, subjects.network, since),
  ])
  if (maySignIn({ account, network })) return
  throw new AppError('too_many_requests', {
    message: 'Trop d’essais de connexion. Réessayez dans quelques minutes.',
    retryAfterSeconds: SIGN_IN_WINDOW_MS / 1000,
  })
}

export async function noteFailure(
  ctx: AppContext,
  { account, network }: FailureSubjects,
): Promise<void> {
  await insertFailures(ctx.db, [...new Set([account, network])], ctx.now())
}

/** Whoever proved to be the owner of the account starts afresh. */
export async function forgetFailuresOf(ctx: AppContext, emailKey: string): Promise<void> {
  await deleteFailures(ctx.db, { subject: failureSubjects(ctx, emailKey).account })
}

/** `wrong_password` under this field, and counted like a failed sign-in, unless it is the password of the account. */
export async function requirePassword(
  ctx: AppContext,
  user: Pick<UserRow, 'emailKey' | 'passwordHash'>,
  { password, field }: { password: string; field: string },
): Promise<void> {
  const subjects = failureSubjects(ctx, user.emailKey)
  await refuseTooManyFailures(ctx, subjects)
  if (await isPasswordRight(user.passwordHash, password)) return
  await noteFailure(ctx, subjects)
  throw wrongPassword(field)
}

/** An account with the password that was checked. */
export type CheckedAccount = Pick<UserRow, 'id' | 'passwordHash'>

/** Locks an account whose password was right a moment ago; `wrong_password` when another process changed it since. */
export async function lockSamePassword(
  tx: AppContext,
  { id, passwordHash }: CheckedAccount,
  field: string,
): Promise<UserRow> {
  const user = await lockUser(tx.db, id)
  if (user?.passwordHash !== passwordHash) throw wrongPassword(field)
  return user
}

function wrongPassword(field: string): AppError {
  const { message } = new AppError('wrong_password')
  return new AppError('wrong_password', { fields: { [field]: message } })
}

/** Forgets failures that no longer count. */
export async function forgetOldFailures(ctx: AppContext): Promise<void> {
  await deleteFailures(ctx.db, { before: new Date(ctx.now().getTime() - SIGN_IN_WINDOW_MS) })
}
