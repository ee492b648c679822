import { createHmac } from 'node:crypto'
import type { AppContext } from '#server/context.ts'
import { AppError } from '#server/errors.ts'
import { networkOf, SITE_SHARE, siteOf } from '#server/networks.ts'
import { type Caller, isPasswordRight, type Share } from '#server/platform/passwords/passwords.ts'
import { requestPasswordLink } from './account-links.service.ts'
import { lockUser, type UserRow } from './auth.repository.ts'
import { oldestNetwork, TRIES, TRY_WINDOW_MS } from './auth.rules.ts'
import type { Actor } from './auth.session.ts'
import {
  type CountedTry,
  countTry,
  deleteEndedTries,
  deleteNetworksSeenBefore,
  deleteTriesOf,
  hasNetwork,
  uncountTry,
  upsertNetwork,
} from './password-tries.repository.ts'

interface Limit {
  /** The key that tries are counted under, a keyed hash: a dump contains neither who tried nor from where. */
  subject: Buffer
  most: number
  /** Whether the limit locks an address, whose owner is then mailed a link. */
  isOfAddress: boolean
}

/** The limits of a try, and its caller, who is known from a network of the owner. */
interface Limits {
  limits: readonly Limit[]
  caller: Caller
}

/** How many passwords of one network, and of one site, a process may hash or queue at once. */
const HASHES_AT_ONCE = { perNetwork: 2, perSite: 8 }

/** The caller who has a password hashed; networks have no shares where limits are off. */
export function callerAt(ctx: AppContext, ip: string | undefined, isKnown: boolean): Caller {
  const isCounted = ip !== undefined && ctx.config.http.rateLimits
  return { isKnown, shares: isCounted ? hashSharesOf(ip) : [] }
}

function hashSharesOf(ip: string): Share[] {
  const network = networkOf(ip)
  const site = siteOf(network)
  const own = { key: network, max: HASHES_AT_ONCE.perNetwork }
  return site ? [own, { key: site, max: HASHES_AT_ONCE.perSite }] : [own]
}

function subjectOf(ctx: AppContext, ...names: readonly string[]): Buffer {
  const secret = ctx.keyring.secretFor('password-tries')
  return createHmac('sha256', secret).update(names.join('\n')).digest()
}

function addressSubject(ctx: AppContext, emailKey: string): Buffer {
  return subjectOf(ctx, 'address', emailKey)
}

/** A network of one account, or of an address without an account. */
function ownNetwork(ctx: AppContext, idOrAddress: string, ip: string): Buffer {
  return subjectOf(ctx, 'network-of', idOrAddress, networkOf(ip))
}

/**
 * The limits of a sign-in. A network that signed in to this account before has its own count, so that no stranger can lock
 * it out. An address without an account costs the same queries.
 */
async function limitsOfSignIn(
  ctx: AppContext,
  { emailKey, ip }: { emailKey: string; ip: string },
  user: UserRow | undefined,
): Promise<Limits> {
  const known = ownNetwork(ctx, user?.id ?? emailKey, ip)
  if (await hasNetwork(ctx.db, known, oldestNetwork(ctx.now()))) {
    const limit = { subject: known, most: TRIES.perKnownNetwork, isOfAddress: true }
    return { limits: [limit], caller: callerAt(ctx, ip, true) }
  }
  const network = networkOf(ip)
  const site = siteOf(network)
  const limits = [
    // First: a refused network locks no address, and tries of a locked address count for the network.
    { subject: subjectOf(ctx, 'network', network), most: TRIES.perNetwork, isOfAddress: false },
    ...(site === undefined ? [] : [limitOfSite(ctx, site)]),
    { subject: addressSubject(ctx, emailKey), most: TRIES.perAccount, isOfAddress: true },
  ]
  return { limits, caller: callerAt(ctx, ip, false) }
}

function limitOfSite(ctx: AppContext, site: string): Limit {
  const subject = subjectOf(ctx, 'network', site)
  return { subject, most: TRIES.perNetwork * SITE_SHARE, isOfAddress: false }
}

/** Counts a try for each limit in advance; `too_many_requests`. Counts nothing where limits are off. */
async function reserveTry(ctx: AppContext, limits: readonly Limit[]): Promise<CountedTry[]> {
  const counted: CountedTry[] = []
  if (!ctx.config.http.rateLimits) return counted
  const now = ctx.now()
  const endsAt = new Date(now.getTime() + TRY_WINDOW_MS)
  for (const { subject, most, isOfAddress } of limits) {
    const one = await countTry(ctx.db, { subject, most, now, endsAt })
    if ('refusedUntil' in one) {
      throw tooManyTries(one.refusedUntil.getTime() - now.getTime(), isOfAddress)
    }
    counted.push(one)
  }
  return counted
}

async function releaseTry(ctx: AppContext, counted: readonly CountedTry[]): Promise<void> {
  for (const one of counted) await uncountTry(ctx.db, one)
}

function tooManyTries(leftMs: number, isMailed: boolean): AppError {
  const words = 'Trop d’essais de mot de passe. Réessayez dans quelques minutes.'
  const mailed =
    'Si cette adresse a un compte, un e-mail y est envoyé, une fois par jour au plus, avec un lien pour choisir un autre mot de passe. Regardez aussi les indésirables, ou demandez un lien avec «\u202FMot de passe oublié\u202F?\u202F».'
  return new AppError('too_many_requests', {
    message: isMailed ? `${words} ${mailed}` : words,
    retryAfterSeconds: Math.max(1, Math.ceil(leftMs / 1000)),
  })
}

/**
 * Compares a password after the try was counted, so that simultaneous tries in several processes count like successive
 * ones. A right password, or one that was not compared, releases the try.
 */
async function tryPassword(
  ctx: AppContext,
  { limits, caller }: Limits,
  { passwordHash, password }: { passwordHash: string | undefined; password: string },
): Promise<{ isRight: boolean; hasLocked: boolean }> {
  const counted = await reserveTry(ctx, limits)
  let isRight = false
  let isCompared = false
  try {
    isRight = await isPasswordRight(passwordHash, password, caller)
    isCompared = true
  } finally {
    if (isRight || !isCompared) await releaseTry(ctx, counted)
  }
  const isLast = limits.some(({ most, isOfAddress }, at) => {
    return isOfAddress && counted[at]?.number === most
  })
  return { isRight, hasLocked: isLast && !isRight }
}

/**
 * Whether this password opens the account of an address, from this network; `too_many_requests`. After the last wrong try
 * of a window, the owner is mailed a link.
 */
export async function trySignIn(
  ctx: AppContext,
  user: UserRow | undefined,
  { password, ...from }: { emailKey: string; ip: string; password: string },
): Promise<boolean> {
  const limits = await limitsOfSignIn(ctx, from, user)
  const attempt = { passwordHash: user?.passwordHash, password }
  const { isRight, hasLocked } = await tryPassword(ctx, limits, attempt)
  if (hasLocked) await requestPasswordLink(ctx, from.emailKey, 'locked')
  return isRight
}

/** Deletes the counts of an account whose owner proved to be the caller. */
export async function clearTriesOf(
  tx: AppContext,
  { id, emailKey }: Pick<UserRow, 'id' | 'emailKey'>,
): Promise<void> {
  await deleteTriesOf(tx.db, addressSubject(tx, emailKey), id)
}

/** Stores a network from which the owner proved themselves; the account must be locked, or new. */
export async function storeNetwork(tx: AppContext, userId: string, ip: string): Promise<void> {
  const row = { network: ownNetwork(tx, userId, ip), userId, seenAt: tx.now() }
  await upsertNetwork(tx.db, row, { most: TRIES.networksKnown })
}

/**
 * `wrong_password` under this field, unless it is the password of the account. Tries count for this session alone: nobody
 * else can use them up.
 */
export async function requirePassword(
  ctx: AppContext,
  { sessionId, ip }: Actor,
  { passwordHash }: Pick<UserRow, 'passwordHash'>,
  { password, field }: { password: string; field: string },
): Promise<void> {
  const subject = subjectOf(ctx, 'session', sessionId)
  const limit = { subject, most: TRIES.perSession, isOfAddress: false }
  const own = { limits: [limit], caller: callerAt(ctx, ip, true) }
  const { isRight } = await tryPassword(ctx, own, { passwordHash, password })
  if (!isRight) throw wrongPassword(field)
}

/** An account with the password hash that was checked. */
export type CheckedAccount = Pick<UserRow, 'id' | 'passwordHash'>

/** Locks an account after its password was checked; `wrong_password` when another request changed it since. */
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

/** Deletes tries that no longer count, and networks not seen for long. */
export async function sweepOldTries(ctx: AppContext): Promise<void> {
  await deleteEndedTries(ctx.db, ctx.now())
  await deleteNetworksSeenBefore(ctx.db, oldestNetwork(ctx.now()))
}
