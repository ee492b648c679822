import type { RelationshipType, RequestAnswer, RequestInput } from '#contract/relationships.ts'
import { type AppContext, runHooks } from '#server/context.ts'
import { AppError, fieldError, notFound } from '#server/errors.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { publishRelationshipsChanged } from '#server/platform/pubsub/pubsub.ts'
import {
  findPerson,
  findRelationshipBetween,
  type PersonRow,
  type RelationshipRow,
  upsertRelationship,
} from './relationships.repository.ts'
import { agreedType } from './relationships.rules.ts'
import { changePair, getPerson, personNotFound } from './relationships.service.ts'
import {
  deleteRequest,
  findRequest,
  findRequestBetween,
  insertRequest,
  listRequestsOf,
  type RequestRow,
} from './requests.repository.ts'

export type SeenRequest = RequestRow & { person: PersonRow }

/** An answered or new request, and the relationship that came of it, if any. */
export interface Outcome {
  request: SeenRequest
  relationship: (RelationshipRow & { person: PersonRow }) | undefined
}

export async function listRequests(
  ctx: AppContext,
  actor: Actor,
): Promise<{ received: SeenRequest[]; sent: SeenRequest[] }> {
  const [received, sent] = await Promise.all([
    listRequestsOf(ctx.db, actor.userId, 'receiver'),
    listRequestsOf(ctx.db, actor.userId, 'sender'),
  ])
  return { received, sent }
}

/**
 * Sends a request; a person whose request the actor has received becomes related at once. `already_related`,
 * `already_asked`; `not_found` for an unknown or hidden person; `unverified_sender` as for an answer.
 */
export async function requestRelationship(
  ctx: AppContext,
  actor: Actor,
  input: RequestInput,
): Promise<Outcome> {
  const { receiver_id: receiverId, type, message = '', confirm = false } = input
  if (receiverId === actor.userId) {
    throw fieldError('receiver_id', 'Vous ne pouvez pas vous envoyer une demande à vous-même')
  }
  return changePair(ctx, actor.userId, receiverId, async (tx) => {
    const person = await getPerson(tx, actor, receiverId)
    if (person.hiddenAt) throw personNotFound()
    if (await findRelationshipBetween(tx.db, actor.userId, receiverId)) {
      throw new AppError('already_related')
    }
    const waiting = await findRequestBetween(tx.db, actor.userId, receiverId)
    if (waiting?.senderId === actor.userId) throw new AppError('already_asked')
    if (waiting) requireKnown(person, agreedType(type, waiting.type), confirm)
    publishRelationshipsChanged(tx, [actor.userId, receiverId])
    const sent = { senderId: actor.userId, receiverId, type, message, createdAt: tx.now() }
    if (!waiting) {
      const request = await insertRequest(tx.db, sent)
      await runHooks(tx, 'onRequested', { requestId: request.id, receiverId })
      return { request: { ...request, person }, relationship: undefined }
    }
    const agreed = agreedType(type, waiting.type)
    const relationship = await relate(tx, waiting, agreed)
    return {
      request: { ...sent, id: waiting.id, type: agreed, person },
      relationship: { ...relationship, person },
    }
  })
}

/** What became of a request that the actor sent with this input; `not_found` once nothing is left of it. */
export async function getSent(
  ctx: AppContext,
  actor: Actor,
  id: string,
  { receiver_id: receiverId, message = '' }: RequestInput,
): Promise<Outcome> {
  const { userId } = actor
  const person = await getPerson(ctx, actor, receiverId)
  if (person.hiddenAt) throw personNotFound()
  const waiting = await findRequest(ctx.db, id)
  if (waiting?.senderId === userId) {
    return { request: { ...waiting, person }, relationship: undefined }
  }
  const relationship = await findRelationshipBetween(ctx.db, userId, receiverId)
  if (!relationship) throw notFound()
  const { type, createdAt } = relationship
  const request = { id, senderId: userId, receiverId, type, message, createdAt, person }
  return { request, relationship: { ...relationship, person } }
}

/** Family reads what is sealed for the family: a person without a proved address needs a second confirmation. */
function requireKnown(person: PersonRow, type: RelationshipType, isConfirmed: boolean): void {
  if (type === 'family' && person.email === null && !isConfirmed) {
    throw new AppError('unverified_sender')
  }
}

async function relate(
  tx: AppContext,
  request: RequestRow,
  type: RelationshipType,
): Promise<RelationshipRow> {
  const { senderId, receiverId } = request
  await deleteRequest(tx.db, request.id)
  const relationship = await upsertRelationship(tx.db, senderId, receiverId, type, tx.now())
  await runHooks(tx, 'onRelated', { relationshipId: relationship.id, senderId })
  return relationship
}

/**
 * Accepts or declines a request the actor received; any other is `not_found`. `unverified_sender` before a person without a
 * proved address becomes family, until that is confirmed.
 */
export async function answerRequest(
  ctx: AppContext,
  actor: Actor,
  id: string,
  { action, confirm = false }: RequestAnswer,
): Promise<Outcome> {
  const found = await findRequest(ctx.db, id)
  if (found?.receiverId !== actor.userId) throw notFound()
  return changePair(ctx, found.senderId, found.receiverId, async (tx) => {
    const request = await findRequest(tx.db, id)
    if (!request) throw notFound()
    const person = await findPerson(tx.db, request.senderId)
    if (!person) throw personNotFound()
    if (action === 'accept') requireKnown(person, request.type, confirm)
    publishRelationshipsChanged(tx, [request.senderId, request.receiverId])
    const seen = { ...request, person }
    if (action === 'accept') {
      const relationship = await relate(tx, request, request.type)
      return { request: seen, relationship: { ...relationship, person } }
    }
    await deleteRequest(tx.db, id)
    return { request: seen, relationship: undefined }
  })
}

/** Withdraws a request the actor sent; any other is `not_found`. */
export async function withdrawRequest(ctx: AppContext, actor: Actor, id: string): Promise<void> {
  const found = await findRequest(ctx.db, id)
  if (found?.senderId !== actor.userId) throw notFound()
  await changePair(ctx, found.senderId, found.receiverId, async (tx) => {
    if (!(await deleteRequest(tx.db, id))) throw notFound()
    publishRelationshipsChanged(tx, [found.senderId, found.receiverId])
  })
}
