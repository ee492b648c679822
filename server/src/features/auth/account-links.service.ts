import { createHmac, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { type AppContext, inTransaction } from '#server/context.ts'
import { AppError } from '#server/errors.ts'
import { consumeLinkQuota } from '#server/features/mails/mail-limits.service.ts'
import { defineJob } from '#server/platform/jobs/jobs.ts'
import { hashToken } from '#server/platform/tokens.ts'
import {
  deleteLinksEndedBefore,
  endLink,
  endLinksOf,
  extendLastLink,
  findLink,
  insertLink,
  insertPasswordRequest,
  type LinkKind,
  type LinkRow,
  type RequestReason,
} from './account-links.repository.ts'
import { lockUser, type UserRow } from './auth.repository.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

const DURATION_MS: Record<LinkKind, number> = {
  verify_email: 24 * HOUR_MS,
  change_email: 24 * HOUR_MS,
  reset_password: 30 * MINUTE_MS,
}
/** The duration of the last link of a kind once no other may be mailed: too many of them lock nobody out. */
const LAST_LINK_DURATION_MS = 24 * HOUR_MS
/** A mail is sent within three days, and reads its link at each attempt. */
const ENDED_LINK_RETENTION_MS = 7 * 24 * HOUR_MS

type LinkName = Pick<LinkRow, 'id' | 'kind'>

/** The token in the link of a mail, derived from its id: a mail that is sent twice carries the same link. */
export function tokenOfLink(ctx: AppContext, { id, kind }: LinkName): string {
  const secret = ctx.keyring.secretFor('account-links')
  return createHmac('sha256', secret).update(`${id}/${kind}`).digest('base64url')
}

interface NewLink extends Pick<LinkRow, 'kind' | 'email' | 'emailKey'> {
  previous?: { email: string; isProved: boolean }
}

/**
 * Creates a link to be mailed to this address, which ends the older ones of its kind. Undefined when the address reached
 * its limit of the day, whoever asked (behaviour.md 5.4): the last link is extended then. The account must be locked.
 */
export async function createLink(
  tx: AppContext,
  userId: string,
  { kind, email, emailKey, previous }: NewLink,
): Promise<string | undefined> {
  const now = tx.now()
  const id = randomUUID()
  const linkClass = kind === 'reset_password' ? 'resets' : 'links'
  if (!(await consumeLinkQuota(tx, { id, userId, email }, linkClass))) {
    const durations = { usualMs: DURATION_MS[kind], longestMs: LAST_LINK_DURATION_MS }
    await extendLastLink(tx.db, { userId, kind }, durations)
    return undefined
  }
  await endLinksOf(tx.db, userId, [kind], now)
  await insertLink(tx.db, {
    id,
    userId,
    kind,
    tokenHash: hashToken(tokenOfLink(tx, { id, kind })),
    email,
    emailKey,
    previousEmail: previous?.email ?? null,
    previousProved: previous?.isProved ?? true,
    createdAt: now,
    expiresAt: new Date(now.getTime() + DURATION_MS[kind]),
  })
  return id
}

/** The active link of a token, which stays usable; `link_expired`. */
export async function requireLink(
  ctx: AppContext,
  token: string,
  kinds: readonly LinkKind[],
): Promise<LinkRow> {
  const link = await findLink(ctx.db, { tokenHash: hashToken(token) })
  const isActive = link && kinds.includes(link.kind) && link.expiresAt > ctx.now()
  if (!isActive) throw new AppError('link_expired')
  return link
}

/**
 * Uses a link, once, and locks its account. `link_expired` for one that was used, ended or is of another kind, and for an
 * unknown token. A rollback makes the link usable again.
 */
export async function consumeLink(
  tx: AppContext,
  token: string,
  kinds: readonly LinkKind[],
): Promise<{ link: LinkRow; user: UserRow }> {
  const link = await requireLink(tx, token, kinds)
  // The account is locked first, as everywhere: its deletion deletes the link too.
  const user = await lockUser(tx.db, link.userId)
  if (!user || !(await endLink(tx.db, link.id, tx.now()))) throw new AppError('link_expired')
  return { link, user }
}

/** The link of a mail, while it is active. */
export async function findActiveLink(ctx: AppContext, id: string): Promise<LinkRow | undefined> {
  const link = await findLink(ctx.db, { id })
  return link && link.expiresAt > ctx.now() ? link : undefined
}

/** Deletes links that ended long ago. */
export async function sweepEndedLinks(ctx: AppContext): Promise<void> {
  const before = new Date(ctx.now().getTime() - ENDED_LINK_RETENTION_MS)
  await deleteLinksEndedBefore(ctx.db, before)
}

/** The worker looks the address up, where nobody sees how long it takes. */
export const answerPasswordRequest = defineJob(
  'answer-password-request',
  z.object({ requestId: z.uuid() }),
)

/**
 * Has the worker mail a password link to an address, if it has an account. Does the same work for every address: nothing
 * is looked up here.
 */
export async function requestPasswordLink(
  ctx: AppContext,
  emailKey: string,
  reason: RequestReason,
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const id = randomUUID()
    await insertPasswordRequest(tx.db, { id, emailKey, reason, createdAt: tx.now() })
    await tx.jobs.enqueue(answerPasswordRequest, { requestId: id })
  })
}
