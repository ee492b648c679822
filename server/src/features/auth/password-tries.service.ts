import { createHmac } from 'node:crypto'
import type { AppContext } from '#server/context.ts'
import { AppError } from '#server/errors.ts'
import { type Caller, isPasswordRight } from '#server/platform/passwords/passwords.ts'
import { lockUser, type UserRow } from './auth.repository.ts'
import {
  hashSharesOf,
  networkOf,
  oldestNetwork,
  SITE_SHARE,
  siteOf,
  TRIES,
  TRY_WINDOW_MS,
} from './auth.rules.ts'
import type { Actor } from './auth.session.ts'
import { requestLink } from './password-requests.service.ts'
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

/** What tries are counted under, as a keyed hash: a dump tells neither who tried nor from where. */
interface Limit {
  subject: Buffer
  most: number
  /** Whether it is an address that is locked, whose owner is then mailed a way in. */
  isOfAddress: boolean
}

/** All that a try is counted against, and who makes it: known is whoever comes from where the owner was. */
interface Limits {
  limits: readonly Limit[]
  asker: Caller
}

/** Whoever asks from there for a hash; networks share nothing where limits are off. */
export function askerAt(ctx: AppContext, ip: string | undefined, isKnown: boolean): Caller {
  const isCounted = ip !== undefined && ctx.config.http.rateLimits
  return { isKnown, shares: isCounted ? hashSharesOf(ip) : [] }
}

function subjectOf(ctx: AppContext, ...names: readonly string[]): Buffer {
  const secret = ctx.keyring.secretFor('password-tries')
  return createHmac('sha256', secret).update(names.join('\n')).digest()
}

function addressSubject(ctx: AppContext, emailKey: string): Buffer {
  return subjectOf(ctx, 'address', emailKey)
}

/** A network as seen by one account; by an address, where there is none. */
function ownNetwork(ctx: AppContext, idOrAddress: string, ip: string): Buffer {
  return subjectOf(ctx, 'network-of', idOrAddress, networkOf(ip))
}

/**
 * What limits a sign-in. A network that signed in to this account before is counted for it alone: no stranger can lock it
 * out. The same is asked for an address without an account.
 */
async function limitsOfSignIn(
  ctx: AppContext,
  { emailKey, ip }: { emailKey: string; ip: string },
  user: UserRow | undefined,
): Promise<Limits> {
  const known = ownNetwork(ctx, user?.id ?? emailKey, ip)
  if (await hasNetwork(ctx.db, known, oldestNetwork(ctx.now()))) {
    const limit = { subject: known, most: TRIES.perKnownNetwork, isOfAddress: true }
    return { limits: [limit], asker: askerAt(ctx, ip, true) }
  }
  const network = networkOf(ip)
  const site = siteOf(network)
  const limits = [
    // First: a network that is refused locks no address; trying one that is locked counts for the network.
    { subject: subjectOf(ctx, 'network', network), most: TRIES.perNetwork, isOfAddress: false },
    ...(site === undefined ? [] : [limitOfSite(ctx, site)]),
    { subject: addressSubject(ctx, emailKey), most: TRIES.perAccount, isOfAddress: true },
  ]
  return { limits, asker: askerAt(ctx, ip, false) }
}

function limitOfSite(ctx: AppContext, site: string): Limit {
  const subject = subjectOf(ctx, 'network', site)
  return { subject, most: TRIES.perNetwork * SITE_SHARE, isOfAddress: false }
}

/** Counts a try against each limit before it is made; `too_many_requests`. Nothing where limits are off. */
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

async function giveBack(ctx: AppContext, counted: readonly CountedTry[]): Promise<void> {
  for (const one of counted) await uncountTry(ctx.db, one)
}

function tooManyTries(leftMs: number, isMailed: boolean): AppError {
  const words = 'Trop d’essais de mot de passe. Réessayez dans quelques minutes.'
  const mailed =
    'Si cette adresse a un compte, un mail y est envoyé, une fois par jour au plus, avec un lien pour choisir un autre mot de passe. Regardez aussi les indésirables, ou demandez un lien avec «\u00A0Mot de passe oublié\u00A0?\u00A0».'
  return new AppError('too_many_requests', {
    message: isMailed ? `${words} ${mailed}` : words,
    retryAfterSeconds: Math.max(1, Math.ceil(leftMs / 1000)),
  })
}

/**
 * Compares a password, after the try was counted: tries sent all at once, to whichever process, count like tries sent in
 * turn. One that is right, or that could not be made, is given back.
 */
async function tryPassword(
  ctx: AppContext,
  { limits, asker }: Limits,
  { passwordHash, password }: { passwordHash: string | undefined; password: string },
): Promise<{ isRight: boolean; hasLocked: boolean }> {
  const counted = await reserveTry(ctx, limits)
  let isRight = false
  let isMade = false
  try {
    isRight = await isPasswordRight(passwordHash, password, asker)
    isMade = true
  } finally {
    if (isRight || !isMade) await giveBack(ctx, counted)
  }
  const isLast = limits.some(({ most, isOfAddress }, at) => {
    return isOfAddress && counted[at]?.number === most
  })
  return { isRight, hasLocked: isLast && !isRight }
}

/**
 * Whether this password opens the account of an address, from this network; `too_many_requests`. With the last wrong try
 * that may be made for now, the owner is mailed a way in.
 */
export async function trySignIn(
  ctx: AppContext,
  user: UserRow | undefined,
  { password, ...from }: { emailKey: string; ip: string; password: string },
): Promise<boolean> {
  const limits = await limitsOfSignIn(ctx, from, user)
  const given = { passwordHash: user?.passwordHash, password }
  const { isRight, hasLocked } = await tryPassword(ctx, limits, given)
  if (hasLocked) await requestLink(ctx, from.emailKey, 'locked')
  return isRight
}

/** Whoever proved to be the owner of the account starts afresh. */
export async function forgetTriesOf(
  tx: AppContext,
  { id, emailKey }: Pick<UserRow, 'id' | 'emailKey'>,
): Promise<void> {
  await deleteTriesOf(tx.db, addressSubject(tx, emailKey), id)
}

/** Remembers where the owner of an account proved to be; the account must be locked, or be new. */
export async function rememberNetwork(tx: AppContext, userId: string, ip: string): Promise<void> {
  const row = { network: ownNetwork(tx, userId, ip), userId, seenAt: tx.now() }
  await upsertNetwork(tx.db, row, { most: TRIES.networksKnown })
}

/**
 * `wrong_password` under this field, unless it is the password of the account. Tries are counted for this session alone:
 * no stranger uses them up, nor whoever else is signed in.
 */
export async function requirePassword(
  ctx: AppContext,
  { sessionId, ip }: Actor,
  { passwordHash }: Pick<UserRow, 'passwordHash'>,
  { password, field }: { password: string; field: string },
): Promise<void> {
  const subject = subjectOf(ctx, 'session', sessionId)
  const limit = { subject, most: TRIES.perSession, isOfAddress: false }
  const own = { limits: [limit], asker: askerAt(ctx, ip, true) }
  const { isRight } = await tryPassword(ctx, own, { passwordHash, password })
  if (!isRight) throw wrongPassword(field)
}

/** An account with the password that was checked. */
export type CheckedAccount = Pick<UserRow, 'id' | 'passwordHash'>

/** Locks an account whose password was right a moment ago; `wrong_password` when another request changed it since. */
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

/** Forgets tries that no longer count, and networks not seen for long. */
export async function forgetOldTries(ctx: AppContext): Promise<void> {
  await deleteEndedTries(ctx.db, ctx.now())
  await deleteNetworksSeenBefore(ctx.db, oldestNetwork(ctx.now()))
}
