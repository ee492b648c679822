import { createHmac } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { DELIVERY_KEY_HEADER } from '#contract/deliveries.ts'
import type { AppContext } from '#server/context.ts'
import { type Actor, actorOf, requireActor } from '#server/features/auth/auth.session.ts'
import { relationsBetween } from '#server/features/relationships/relationships.service.ts'
import { networkOf } from '#server/networks.ts'
import { addresseeRelation, canViewEnvelope, type ViewerRelation } from './access.rules.ts'
import {
  findEnvelope,
  findEnvelopeFor,
  findStoredRelation,
  listEnvelopesById,
  type StoredRelation,
} from './envelopes.repository.ts'
import type { EnvelopeRow } from './envelopes.rules.ts'
import type { KeyHolder } from './personal-keys.rules.ts'
import { findKeyHolder } from './personal-keys.service.ts'
import { listSavedAmong } from './saved-letters.repository.ts'

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

/** An envelope, and what was found out about somebody who asks for it. */
export interface KnownEnvelope {
  actor: Actor | null
  envelope: EnvelopeRow
  relation: ViewerRelation
  keyHolder: KeyHolder | undefined
}

/** How somebody stands to a revelation. The gate has not decided yet whether they may know of it. */
export async function findKnown(
  ctx: AppContext,
  viewer: Viewer,
  id: string,
): Promise<KnownEnvelope | undefined> {
  const { actor } = viewer
  const found = actor
    ? await findEnvelopeFor(ctx.db, actor.userId, id)
    : await findEnvelope(ctx.db, id).then((envelope) => envelope && { envelope, stored: NONE })
  if (!found) return undefined
  const { envelope, stored } = found
  // After the envelope: a key that is revoked as its letter is addressed to somebody else must not show them.
  const keyHolder = await keyHolderOf(ctx, viewer)
  const relation = relationFrom(actor, keyHolder, envelope, stored)
  return { actor, envelope, relation, keyHolder }
}

/** The same of an envelope that was read already; undefined for an account once the letter is deleted. */
export async function getViewerRelation(
  ctx: AppContext,
  { actor, keyHolder }: Pick<KnownEnvelope, 'actor' | 'keyHolder'>,
  envelope: EnvelopeRow,
): Promise<ViewerRelation | undefined> {
  const stored = actor ? await findStoredRelation(ctx.db, actor.userId, envelope.id) : NONE
  return stored && relationFrom(actor, keyHolder, envelope, stored)
}

function relationFrom(
  actor: Actor | null,
  keyHolder: KeyHolder | undefined,
  envelope: EnvelopeRow,
  { tie, savedDeliveryId }: StoredRelation,
): ViewerRelation {
  const links = { keyHolder, savedDeliveryId: savedDeliveryId ?? undefined }
  return {
    isAuthor: actor?.userId === envelope.authorId,
    relationship: tie ?? undefined,
    ...addresseeRelation(actor, envelope, links),
  }
}

const NONE: StoredRelation = { tie: null, savedDeliveryId: null }

/** By which delivery’s link each of these accounts joined each of these letters: as long as it lives, it is its addressee. */
async function savedDeliveriesOf(
  ctx: AppContext,
  userIds: readonly string[],
  revelationIds: readonly string[],
): Promise<(userId: string, revelationId: string) => string | undefined> {
  if (userIds.length === 0 || revelationIds.length === 0) return () => undefined
  const deliveryIds = new Map(
    (await listSavedAmong(ctx.db, userIds, revelationIds)).map((saved) => [
      `${saved.userId}/${saved.revelationId}`,
      saved.deliveryId,
    ]),
  )
  return (userId, revelationId) => deliveryIds.get(`${userId}/${revelationId}`)
}

/** An account, signed in or not: mails and notifications pass the gate too. */
export type ViewerAccount = Pick<Actor, 'userId' | 'verifiedEmailKey'>

/** The envelope if this account may know of it now. */
export type FindVisible = (account: ViewerAccount, id: string) => EnvelopeRow | undefined

/** The gate for many accounts and many revelations, in three queries. */
export async function canViewMany(
  ctx: AppContext,
  accounts: readonly ViewerAccount[],
  ids: readonly string[],
): Promise<FindVisible> {
  const findKnown = await findKnownMany(ctx, accounts, ids)
  return (account, id) => findKnown(account, id)?.envelope
}

/** The same with how the account stands to it. */
export async function findKnownMany(
  ctx: AppContext,
  accounts: readonly ViewerAccount[],
  ids: readonly string[],
): Promise<
  (
    account: ViewerAccount,
    id: string,
  ) => { envelope: EnvelopeRow; relation: ViewerRelation } | undefined
> {
  const envelopes = new Map<string, EnvelopeRow>()
  for (const envelope of await listEnvelopesById(ctx.db, ids)) envelopes.set(envelope.id, envelope)
  const authorIds = new Set([...envelopes.values()].map(({ authorId }) => authorId))
  const userIds = new Set(accounts.map(({ userId }) => userId))
  const [relationOf, savedDeliveryOf] = await Promise.all([
    relationsBetween(ctx, [...userIds], [...authorIds]),
    savedDeliveriesOf(ctx, [...userIds], [...envelopes.keys()]),
  ])
  const now = ctx.now()
  return (account, id) => {
    const envelope = envelopes.get(id)
    if (!envelope) return undefined
    const relation = {
      isAuthor: account.userId === envelope.authorId,
      relationship: relationOf(account.userId, envelope.authorId),
      ...addresseeRelation(account, envelope, {
        savedDeliveryId: savedDeliveryOf(account.userId, id),
      }),
    }
    return canViewEnvelope(relation, envelope, now) ? { envelope, relation } : undefined
  }
}
