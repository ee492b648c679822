import { createHash, randomBytes } from 'node:crypto'
import type { ChangePasswordInput, LoginInput, RegisterInput } from '#contract/auth.ts'
import { type AppContext, inTransaction } from '#server/context.ts'
import { AppError, notFound } from '#server/errors.ts'
import { publishSessionsEnded } from '#server/platform/events/events.ts'
import { hashPassword, isPasswordRight } from '#server/platform/passwords/passwords.ts'
import { inTurn } from '#server/platform/turns.ts'
import {
  countFailures,
  deleteFailures,
  deleteOtherSessions,
  deleteSession,
  findSession,
  findUser,
  findUserByEmailKey,
  insertFailures,
  insertSession,
  insertUser,
  listSessionsOf,
  type SessionRow,
  setPasswordHash,
  touchSession,
  trimSessions,
  type UserRow,
} from './auth.repository.ts'
import {
  deviceOf,
  emailKeyOf,
  maySignIn,
  networkOf,
  pseudoKeyOf,
  SESSIONS_PER_USER,
  SIGN_IN_WINDOW_MS,
  sessionExpiry,
  shouldTouchSession,
} from './auth.rules.ts'
import type { Actor } from './auth.session.ts'

/** Where a sign-in comes from. */
export interface Origin {
  ip: string
  userAgent: string | undefined
}

function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** Creates an account and opens its first session; `email_taken` or `pseudo_taken`. */
export async function register(
  ctx: AppContext,
  input: RegisterInput,
  origin: Origin,
): Promise<{ token: string; user: UserRow }> {
  const passwordHash = await hashPassword(input.password)
  return inTransaction(ctx, async (tx) => {
    const result = await insertUser(tx.db, {
      email: input.email,
      emailKey: emailKeyOf(input.email),
      pseudo: input.pseudo,
      pseudoKey: pseudoKeyOf(input.pseudo),
      passwordHash,
      createdAt: ctx.now(),
    })
    if ('taken' in result) throw takenError(result.taken)
    return { token: await openSession(tx, result.user.id, origin), user: result.user }
  })
}

export function takenError(taken: 'email' | 'pseudo'): AppError {
  const error = new AppError(taken === 'email' ? 'email_taken' : 'pseudo_taken')
  return new AppError(error.code, { fields: { [taken]: error.message } })
}

/** Opens a session. The answer and its time are the same for a wrong password and an unknown address. */
export async function logIn(
  ctx: AppContext,
  input: LoginInput,
  origin: Origin,
): Promise<{ token: string; user: UserRow }> {
  const emailKey = emailKeyOf(input.email)
  const subjects = { account: `account:${emailKey}`, network: `network:${networkOf(origin.ip)}` }
  return inTurn(turnOf(emailKey), async () => {
    await refuseTooManyFailures(ctx, subjects)
    const user = await findUserByEmailKey(ctx.db, emailKey)
    if (!(await isPasswordRight(user?.passwordHash, input.password)) || !user) {
      await insertFailures(ctx.db, Object.values(subjects), ctx.now())
      throw new AppError('invalid_credentials')
    }
    return inTransaction(ctx, async (tx) => {
      await deleteFailures(tx.db, { subject: subjects.account })
      return { token: await openSession(tx, user.id, origin), user }
    })
  })
}

/**
 * Tries sent all at once are counted like tries sent in turn, and a password that is being changed opens no session
 * meanwhile.
 */
function turnOf(emailKey: string): string {
  return `account/${emailKey}`
}

async function refuseTooManyFailures(
  ctx: AppContext,
  subjects: { account: string; network: string },
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

async function openSession(tx: AppContext, userId: string, origin: Origin): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const now = tx.now()
  await insertSession(tx.db, {
    userId,
    tokenHash: hashToken(token),
    device: deviceOf(origin.userAgent),
    createdAt: now,
    lastSeenAt: now,
    expiresAt: sessionExpiry(now, now),
  })
  await trimSessions(tx.db, userId, SESSIONS_PER_USER, now)
  publishSessionsEnded(tx, userId)
  return token
}

/** The actor behind a bearer token, undefined when it opens nothing (any more). */
export async function findActorByToken(ctx: AppContext, token: string): Promise<Actor | undefined> {
  return asActor(ctx, await findSession(ctx.db, { tokenHash: hashToken(token) }, ctx.now()))
}

/** The actor of a session named in a media ticket; undefined once the session ended. */
export async function findActorBySession(
  ctx: AppContext,
  sessionId: string,
): Promise<Actor | undefined> {
  return asActor(ctx, await findSession(ctx.db, { id: sessionId }, ctx.now()))
}

async function asActor(
  ctx: AppContext,
  session: Awaited<ReturnType<typeof findSession>>,
): Promise<Actor | undefined> {
  if (!session) return undefined
  const now = ctx.now()
  if (shouldTouchSession(session.lastSeenAt, now)) {
    const expiresAt = sessionExpiry(session.createdAt, now)
    await touchSession(ctx.db, session.id, { lastSeenAt: now, expiresAt })
  }
  return {
    userId: session.userId,
    sessionId: session.id,
    verifiedEmailKey: session.emailVerifiedAt ? session.emailKey : null,
  }
}

export async function logOut(ctx: AppContext, actor: Actor): Promise<void> {
  await deleteSession(ctx.db, actor.userId, actor.sessionId)
  publishSessionsEnded(ctx, actor.userId)
}

/** `wrong_password` when the current one is not right; every other session of the person ends. */
export async function changePassword(
  ctx: AppContext,
  actor: Actor,
  input: ChangePasswordInput,
): Promise<void> {
  const { emailKey } = await getUser(ctx, actor.userId)
  await inTurn(turnOf(emailKey), () => replacePassword(ctx, actor, input))
}

async function replacePassword(
  ctx: AppContext,
  actor: Actor,
  input: ChangePasswordInput,
): Promise<void> {
  const user = await getUser(ctx, actor.userId)
  const subject = `account:${user.emailKey}`
  await refuseTooManyFailures(ctx, { account: subject, network: subject })
  if (!(await isPasswordRight(user.passwordHash, input.currentPassword))) {
    await insertFailures(ctx.db, [subject], ctx.now())
    const error = new AppError('wrong_password')
    throw new AppError('wrong_password', { fields: { currentPassword: error.message } })
  }
  const passwordHash = await hashPassword(input.newPassword)
  await inTransaction(ctx, async (tx) => {
    await setPasswordHash(tx.db, user.id, passwordHash)
    await deleteOtherSessions(tx.db, user.id, actor.sessionId)
    publishSessionsEnded(tx, user.id)
  })
}

export async function getUser(ctx: AppContext, userId: string): Promise<UserRow> {
  const user = await findUser(ctx.db, userId)
  if (!user) throw notFound()
  return user
}

export async function listSessions(ctx: AppContext, actor: Actor): Promise<SessionRow[]> {
  return listSessionsOf(ctx.db, actor.userId, ctx.now())
}

export async function endSession(ctx: AppContext, actor: Actor, sessionId: string): Promise<void> {
  if (!(await deleteSession(ctx.db, actor.userId, sessionId))) throw notFound()
  publishSessionsEnded(ctx, actor.userId)
}

/** Signs the person out everywhere else. */
export async function endOtherSessions(ctx: AppContext, actor: Actor): Promise<void> {
  await deleteOtherSessions(ctx.db, actor.userId, actor.sessionId)
  publishSessionsEnded(ctx, actor.userId)
}

/** Forgets failures that no longer count. */
export async function forgetOldFailures(ctx: AppContext): Promise<void> {
  await deleteFailures(ctx.db, { before: new Date(ctx.now().getTime() - SIGN_IN_WINDOW_MS) })
}
