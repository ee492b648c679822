import { createHmac } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { DELIVERY_KEY_HEADER } from '#contract/deliveries.ts'
import type { AppContext } from '#server/context.ts'
import { type Actor, actorOf, requireActor } from '#server/features/auth/auth.session.ts'
import {
  findRelation,
  relationsBetween,
} from '#server/features/relationships/relationships.service.ts'
import { networkOf } from '#server/networks.ts'
import { canViewEnvelope, recipientRelation, type ViewerRelation } from './access.rules.ts'
import { listEnvelopesById } from './envelopes.repository.ts'
import type { EnvelopeRow } from './envelopes.rules.ts'
import type { KeyHolder } from './personal-keys.rules.ts'
import { findKeyHolder } from './personal-keys.service.ts'

/** The caller: an account, the bearer of a delivery's personal key, both, or nobody in particular. */
export interface Viewer {
  actor: Actor | null
  deliveryKey: string | null
}

export function viewerOf(request: FastifyRequest): Viewer {
  const key = request.headers[DELIVERY_KEY_HEADER]
  return { actor: actorOf(request), deliveryKey: typeof key === 'string' ? key : null }
}

/** A caller with an account. */
export interface SignedInViewer extends Viewer {
  actor: Actor
}

/** The caller; `unauthenticated` without an account. */
export function signedInViewerOf(request: FastifyRequest): SignedInViewer {
  return { ...viewerOf(request), actor: requireActor(request) }
}

/** All that distinguishes one visitor from another. */
export interface Visit {
  ip: string
  userAgent: string | undefined
}

export function visitOf({ ip, headers }: FastifyRequest): Visit {
  return { ip, userAgent: headers['user-agent'] }
}

/** The keyed hash that stands for a visitor in the database: another one for each purpose, and for each `scope` of it. */
export function nameVisitor(
  ctx: AppContext,
  purpose: string,
  scope: string,
  { ip, userAgent }: Visit,
): string {
  // The scope is no part of the purpose: a secret stays in memory for each of those.
  return createHmac('sha256', ctx.keyring.secretFor(purpose))
    .update(`${scope}|${networkOf(ip)}|${userAgent ?? ''}`)
    .digest('base64url')
}

/** The delivery whose living key a viewer bears. */
export async function keyHolderOf(ctx: AppContext, viewer: Viewer): Promise<KeyHolder | undefined> {
  return viewer.deliveryKey ? findKeyHolder(ctx, viewer.deliveryKey) : undefined
}

/** How somebody stands to one revelation. */
export async function getViewerRelation(
  ctx: AppContext,
  actor: Actor | null,
  keyHolder: KeyHolder | undefined,
  envelope: EnvelopeRow,
): Promise<ViewerRelation> {
  const isAuthor = actor?.userId === envelope.authorId
  return {
    isAuthor,
    relationship:
      actor && !isAuthor ? await findRelation(ctx, actor.userId, envelope.authorId) : undefined,
    ...recipientRelation(actor, envelope, keyHolder),
  }
}

/** An account, signed in or not: mails and notifications pass the gate too. */
export type ViewerAccount = Pick<Actor, 'userId' | 'verifiedEmailKey'>

/** The envelope if this account may know of it now. */
export type FindVisible = (account: ViewerAccount, id: string) => EnvelopeRow | undefined

/** The gate for many accounts and many revelations, in two queries. */
export async function canViewMany(
  ctx: AppContext,
  accounts: readonly ViewerAccount[],
  ids: readonly string[],
): Promise<FindVisible> {
  const envelopes = new Map<string, EnvelopeRow>()
  for (const envelope of await listEnvelopesById(ctx.db, ids)) envelopes.set(envelope.id, envelope)
  const authorIds = new Set([...envelopes.values()].map(({ authorId }) => authorId))
  const userIds = new Set(accounts.map(({ userId }) => userId))
  const relationOf = await relationsBetween(ctx, [...userIds], [...authorIds])
  const now = ctx.now()
  return (account, id) => {
    const envelope = envelopes.get(id)
    if (!envelope) return undefined
    const relation = {
      isAuthor: account.userId === envelope.authorId,
      relationship: relationOf(account.userId, envelope.authorId),
      ...recipientRelation(account, envelope),
    }
    return canViewEnvelope(relation, envelope, now) ? envelope : undefined
  }
}
