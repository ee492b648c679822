import type { LoginInput, RegisterInput } from '#contract/auth.ts'
import { type AppContext, inTransaction } from '#server/context.ts'
import { AppError, notFound } from '#server/errors.ts'
import { emailKeyOf } from '#server/platform/mail/email-address.ts'
import { hashPassword } from '#server/platform/passwords/passwords.ts'
import { publishSessionsEnded } from '#server/platform/pubsub/pubsub.ts'
import { hashToken, randomToken } from '#server/platform/tokens.ts'
import {
  type ApiTokenRow,
  deleteTokensOf,
  findActiveToken,
  insertTokens,
} from './api-tokens.repository.ts'
import {
  type Conflict,
  deleteSession,
  deleteSessionsOf,
  findSession,
  findUser,
  findUserByEmailKey,
  insertSession,
  insertSessions,
  insertUser,
  listActiveSessions,
  listSessionsOf,
  lockUser,
  type SessionRow,
  touchSession,
  trimSessions,
  type UserRow,
} from './auth.repository.ts'
import { deviceOf, SESSIONS_PER_USER, sessionExpiry, shouldTouchSession } from './auth.rules.ts'
import type { Actor } from './auth.session.ts'
import { setAddressEnded } from './calendar-addresses.repository.ts'
import { requestVerification } from './email-addresses.service.ts'
import {
  type CheckedAccount,
  callerAt,
  clearTriesOf,
  lockSamePassword,
  storeNetwork,
  trySignIn,
} from './password-tries.service.ts'
import { parseNewPseudo } from './pseudos.service.ts'

/** Where a sign-in comes from. */
export interface Origin {
  ip: string
  userAgent: string | undefined
}

/** Creates an account and opens its first session; `email_taken` or `pseudo_taken`. */
export async function register(
  ctx: AppContext,
  input: RegisterInput,
  origin: Origin,
): Promise<{ token: string; user: UserRow }> {
  const passwordHash = await hashPassword(input.password, callerAt(ctx, origin.ip, false))
  return createAccount(ctx, { ...input, passwordHash }, origin)
}

/** Like `register`, with a password that is hashed already. */
export function createAccount(
  ctx: AppContext,
  input: Omit<RegisterInput, 'password'> & { passwordHash: string },
  origin: Origin,
): Promise<{ token: string; user: UserRow }> {
  const now = ctx.now()
  return inTransaction(ctx, async (tx) => {
    const result = await insertUser(tx.db, {
      email: input.email,
      emailKey: emailKeyOf(input.email),
      ...parseNewPseudo(input.pseudo),
      passwordHash: input.passwordHash,
      ageConfirmedAt: input.age_confirmed ? now : null,
      createdAt: now,
    })
    if ('conflict' in result) throw alreadyUsedError(result.conflict)
    await requestVerification(tx, result.user.id)
    return { token: await openSession(tx, result.user.id, origin), user: result.user }
  })
}

const LOOKALIKE =
  'Ce pseudo ressemble trop à celui de quelqu’un d’autre. Ajoutez une lettre, ou choisissez-en un autre.'

export function alreadyUsedError(conflict: Conflict): AppError {
  const error = new AppError(conflict === 'email' ? 'email_taken' : 'pseudo_taken')
  const message = conflict === 'lookalike' ? LOOKALIKE : error.message
  return new AppError(error.code, {
    message,
    fields: { [conflict === 'email' ? 'email' : 'pseudo']: message },
  })
}

/** Opens a session. The answer and its time are the same for a wrong password and an unknown address. */
export async function logIn(
  ctx: AppContext,
  { email, password }: LoginInput,
  origin: Origin,
): Promise<{ token: string; user: UserRow }> {
  const emailKey = emailKeyOf(email)
  const found = await findUserByEmailKey(ctx.db, emailKey)
  const isRight = await trySignIn(ctx, found, { emailKey, ip: origin.ip, password })
  if (!isRight || !found) throw new AppError('invalid_credentials')
  return inTransaction(ctx, async (tx) => {
    const user = await lockUser(tx.db, found.id)
    // Another request deleted the account or changed its password meanwhile.
    if (user?.passwordHash !== found.passwordHash) throw new AppError('invalid_credentials')
    await clearTriesOf(tx, user)
    return { token: await openSession(tx, user.id, origin), user }
  })
}

async function openSession(tx: AppContext, userId: string, origin: Origin): Promise<string> {
  const token = randomToken()
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
  await storeNetwork(tx, userId, origin.ip)
  publishSessionsEnded(tx, userId)
  return token
}

/** The actor of a bearer token, undefined without an active session. */
export async function findActorByToken(ctx: AppContext, token: string): Promise<Actor | undefined> {
  return touchActor(ctx, await findSession(ctx.db, { tokenHash: hashToken(token) }, ctx.now()))
}

/** The actor of a session, or of a token of the API, that is named in a media ticket; undefined once it ended. */
export async function findActorBySession(
  ctx: AppContext,
  sessionId: string,
): Promise<Actor | undefined> {
  const by = { id: sessionId }
  const session = await findSession(ctx.db, by, ctx.now())
  if (session) return touchActor(ctx, session)
  const token = await findActiveToken(ctx.db, by, ctx.now())
  return token && actorOfToken(token)
}

/** The actors of the active ones of these sessions, by session. Does not count as use of a session. */
export async function findActiveActors(
  ctx: AppContext,
  sessionIds: readonly string[],
): Promise<Map<string, Actor>> {
  const actors = new Map<string, Actor>()
  if (sessionIds.length === 0) return actors
  for (const session of await listActiveSessions(ctx.db, sessionIds, ctx.now())) {
    actors.set(session.id, toActor(session))
  }
  return actors
}

type ActiveSession = NonNullable<Awaited<ReturnType<typeof findSession>>>

function toActor({
  id,
  userId,
  emailKey,
  emailVerifiedAt,
}: Pick<ActiveSession, 'id' | 'userId' | 'emailKey' | 'emailVerifiedAt'>): Actor {
  return { userId, sessionId: id, verifiedEmailKey: emailVerifiedAt ? emailKey : null }
}

export function actorOfToken(
  token: NonNullable<Awaited<ReturnType<typeof findActiveToken>>>,
): Actor {
  return { ...toActor(token), scopes: token.scopes }
}

/** The actor of a session that is used now: its use moves its end. */
async function touchActor(
  ctx: AppContext,
  session: ActiveSession | undefined,
): Promise<Actor | undefined> {
  if (!session) return undefined
  const now = ctx.now()
  if (shouldTouchSession(session.lastSeenAt, now)) {
    const expiresAt = sessionExpiry(session.createdAt, now)
    await touchSession(ctx.db, session.id, { lastSeenAt: now, expiresAt })
  }
  return toActor(session)
}

export async function logOut(ctx: AppContext, actor: Actor): Promise<void> {
  await deleteSession(ctx.db, actor.userId, actor.sessionId)
  publishSessionsEnded(ctx, actor.userId)
}

export async function getUser(ctx: AppContext, userId: string): Promise<UserRow> {
  const user = await findUser(ctx.db, userId)
  if (!user) throw notFound()
  return user
}

/** The account of an address, in any spelling. */
export async function findAccountByEmail(
  ctx: AppContext,
  email: string,
): Promise<Pick<UserRow, 'id' | 'pseudo'> | undefined> {
  return findUserByEmailKey(ctx.db, emailKeyOf(email))
}

export async function listSessions(ctx: AppContext, actor: Actor): Promise<SessionRow[]> {
  return listSessionsOf(ctx.db, actor.userId, ctx.now())
}

export async function endSession(ctx: AppContext, actor: Actor, sessionId: string): Promise<void> {
  if (!(await deleteSession(ctx.db, actor.userId, sessionId))) throw notFound()
  publishSessionsEnded(ctx, actor.userId)
}

/**
 * Locks the actor’s account against sign-outs everywhere, before something is created that outlives the session;
 * `unauthenticated` when the session has ended.
 */
export async function lockSignedIn(tx: AppContext, actor: Actor): Promise<void> {
  const user = await lockUser(tx.db, actor.userId)
  if (!user || !(await findSession(tx.db, { id: actor.sessionId }, tx.now()))) {
    throw new AppError('unauthenticated')
  }
}

/** Signs the person out everywhere else, and ends what needs no session: the address of their calendar, their tokens. */
export async function endOtherSessions(ctx: AppContext, actor: Actor): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await lockSignedIn(tx, actor)
    await deleteSessionsOf(tx.db, actor.userId, { except: actor.sessionId })
    await setAddressEnded(tx.db, actor.userId, tx.now())
    await deleteTokensOf(tx.db, actor.userId)
    publishSessionsEnded(tx, actor.userId)
  })
}

interface EndedSessions {
  sessions: SessionRow[]
  tokens: ApiTokenRow[]
}

/** Signs the person out everywhere, unless the checked password was changed; `reopenSessions` undoes it. */
export async function endAllSessions(
  ctx: AppContext,
  user: CheckedAccount,
  field: string,
): Promise<EndedSessions> {
  return inTransaction(ctx, async (tx) => {
    await lockSamePassword(tx, user, field)
    publishSessionsEnded(tx, user.id)
    return {
      sessions: await deleteSessionsOf(tx.db, user.id, { except: null }),
      tokens: await deleteTokensOf(tx.db, user.id),
    }
  })
}

/** Restores the sessions that `endAllSessions` ended, unless the password was changed since. */
export async function reopenSessions(
  ctx: AppContext,
  user: CheckedAccount,
  { sessions, tokens }: EndedSessions,
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const found = await lockUser(tx.db, user.id)
    if (found?.passwordHash !== user.passwordHash) return
    await insertSessions(tx.db, sessions)
    await insertTokens(tx.db, tokens)
  })
}
