import { createHash, createHmac, randomUUID } from 'node:crypto'
import type { AppContext } from '#server/context.ts'
import { AppError } from '#server/errors.ts'
import { takeLinkRoom } from '#server/features/mails/mail-limits.service.ts'
import {
  deleteLinksEndedBefore,
  endLink,
  endLinksOf,
  findLink,
  insertLink,
  type LinkRow,
  prolongLastLink,
} from './account-links.repository.ts'
import {
  ENDED_LINK_KEPT_MS,
  LAST_LINK_MS,
  type LinkKind,
  linkExpiry,
} from './account-links.rules.ts'
import { lockUser, type UserRow } from './auth.repository.ts'

type LinkName = Pick<LinkRow, 'id' | 'kind'>

/** The token in the link of a mail, always the same so that a mail sent twice carries the same link. */
export function tokenOfLink(ctx: AppContext, { id, kind }: LinkName): string {
  const secret = ctx.keyring.secretFor('account-links')
  return createHmac('sha256', secret).update(`${id}/${kind}`).digest('base64url')
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

interface NewLink extends Pick<LinkRow, 'kind' | 'email' | 'emailKey'> {
  previous?: { email: string; isProved: boolean }
}

/**
 * Makes a link to be mailed to the address given, which ends the older ones of its kind. Undefined when that address was
 * mailed enough of them today, whoever asked (behaviour.md 5.4): the last one is good for a day then. The account must be
 * locked.
 */
export async function createLink(
  tx: AppContext,
  userId: string,
  { kind, email, emailKey, previous }: NewLink,
): Promise<string | undefined> {
  const now = tx.now()
  const id = randomUUID()
  const linkClass = kind === 'reset_password' ? 'resets' : 'links'
  if (!(await takeLinkRoom(tx, { id, userId, email }, linkClass))) {
    const usualMs = linkExpiry(kind, now).getTime() - now.getTime()
    await prolongLastLink(tx.db, { userId, kind }, { usualMs, longestMs: LAST_LINK_MS })
    return undefined
  }
  await endLinksOf(tx.db, userId, [kind], now)
  await insertLink(tx.db, {
    id,
    userId,
    kind,
    tokenHash: hashOf(tokenOfLink(tx, { id, kind })),
    email,
    emailKey,
    previousEmail: previous?.email ?? null,
    previousProved: previous?.isProved ?? true,
    createdAt: now,
    expiresAt: linkExpiry(kind, now),
  })
  return id
}

/** The living link behind a token; `link_expired`. Nothing is used up. */
export async function requireLink(
  ctx: AppContext,
  token: string,
  kinds: readonly LinkKind[],
): Promise<LinkRow> {
  const link = await findLink(ctx.db, { tokenHash: hashOf(token) })
  const isAlive = link && kinds.includes(link.kind) && link.expiresAt > ctx.now()
  if (!isAlive) throw new AppError('link_expired')
  return link
}

/**
 * Uses a link, once, and locks its account: `link_expired` for one that is used, too old, followed by a newer one or of
 * another kind, and for a token nobody ever made. Whatever fails later gives it back with the transaction.
 */
export async function takeLink(
  tx: AppContext,
  token: string,
  kinds: readonly LinkKind[],
): Promise<{ link: LinkRow; user: UserRow }> {
  const link = await requireLink(tx, token, kinds)
  // The account first, as everywhere: whoever deletes it takes the link with it.
  const user = await lockUser(tx.db, link.userId)
  if (!user || !(await endLink(tx.db, link.id, tx.now()))) throw new AppError('link_expired')
  return { link, user }
}

/** The link a mail is about, as long as it opens something. */
export async function findLivingLink(ctx: AppContext, id: string): Promise<LinkRow | undefined> {
  const link = await findLink(ctx.db, { id })
  return link && link.expiresAt > ctx.now() ? link : undefined
}

/** Forgets links that opened nothing for long. */
export async function forgetEndedLinks(ctx: AppContext): Promise<void> {
  const before = new Date(ctx.now().getTime() - ENDED_LINK_KEPT_MS)
  await deleteLinksEndedBefore(ctx.db, before)
}
