import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { ReceivedRequest, Relationship, SentRequest } from '#contract/relationships.ts'
import * as endpoints from '#contract/relationships.ts'
import type { AppContext } from '#server/context.ts'
import { requireActor, signedIn } from '#server/features/auth/auth.session.ts'
import { createOnceFor } from '#server/features/idempotency/creating-routes.service.ts'
import { rateLimit } from '#server/http/rate-limits.ts'
import type { PersonRow, RelationshipRow } from './relationships.repository.ts'
import {
  blockPerson,
  endRelationship,
  listBlocks,
  listRelationships,
  unblockPerson,
} from './relationships.service.ts'
import {
  answerRequest,
  getSent,
  listRequests,
  requestRelationship,
  type SeenRequest,
  withdrawRequest,
} from './requests.service.ts'

export function relationshipRoutes(ctx: AppContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      ...endpoints.listRelationships,
      handler: async (request) => {
        const actor = requireActor(request)
        const relationships = await listRelationships(ctx, actor)
        return {
          relationships: relationships.map((item) => presentRelationship(actor.userId, item)),
        }
      },
    })

    app.route({
      ...endpoints.listRequests,
      handler: async (request) => {
        const { received, sent } = await listRequests(ctx, requireActor(request))
        return {
          requests: received.map((item) => presentReceived(item, 'pending')),
          sent: sent.map((item) => presentSent(item, 'pending')),
        }
      },
    })

    app.route({
      ...endpoints.requestRelationship,
      config: rateLimit(30, '1 hour'),
      preValidation: signedIn,
      handler: async (request, reply) => {
        const actor = requireActor(request)
        const result = await createOnceFor(
          ctx,
          { request, reply, owner: { userId: actor.userId } },
          (tx) => requestRelationship(tx, actor, request.body),
          ({ request: { id } }) => id,
        )
        const sent = result.isReplay
          ? await getSent(ctx, actor, result.resourceId, request.body)
          : result.created
        const { relationship } = sent
        return reply.code(201).send({
          request: presentSent(sent.request, relationship ? 'accepted' : 'pending'),
          ...(relationship
            ? { relationship: presentRelationship(actor.userId, relationship) }
            : {}),
        })
      },
    })

    app.route({
      ...endpoints.answerRequest,
      preValidation: signedIn,
      handler: async (request) => {
        const actor = requireActor(request)
        const answered = await answerRequest(ctx, actor, request.params.id, request.body)
        const { relationship } = answered
        return {
          request: presentReceived(answered.request, relationship ? 'accepted' : 'declined'),
          ...(relationship
            ? { relationship: presentRelationship(actor.userId, relationship) }
            : {}),
        }
      },
    })

    app.route({
      ...endpoints.withdrawRequest,
      preValidation: signedIn,
      handler: async (request) => {
        await withdrawRequest(ctx, requireActor(request), request.params.id)
        return { success: true as const }
      },
    })

    app.route({
      ...endpoints.endRelationship,
      preValidation: signedIn,
      handler: async (request) => {
        await endRelationship(ctx, requireActor(request), request.params.id)
        return { success: true as const }
      },
    })

    app.route({
      ...endpoints.listBlocks,
      handler: async (request) => {
        const blocked = await listBlocks(ctx, requireActor(request))
        return {
          blocks: blocked.map(({ createdAt, ...person }) => ({
            ...presentPerson(person),
            created_at: createdAt.toISOString(),
          })),
        }
      },
    })

    app.route({
      ...endpoints.blockPerson,
      preValidation: signedIn,
      handler: async (request) => {
        await blockPerson(ctx, requireActor(request), request.params.userId)
        return { success: true as const }
      },
    })

    app.route({
      ...endpoints.unblockPerson,
      preValidation: signedIn,
      handler: async (request) => {
        await unblockPerson(ctx, requireActor(request), request.params.userId)
        return { success: true as const }
      },
    })
  }
}

type Status = ReceivedRequest['status']

/** A relationship as `userId` sees it. */
function presentRelationship(
  userId: string,
  { person, ...relationship }: RelationshipRow & { person: PersonRow },
): Relationship {
  return {
    id: relationship.id,
    user_id: userId,
    related_user_id: person.id,
    related_pseudo: person.pseudo,
    related_user: presentRelatedPerson(person),
    relationship_type: relationship.type,
    status: 'accepted',
    created_at: relationship.createdAt.toISOString(),
  }
}

/** The receiver of a request sees the address of its sender, not the other way round. */
function presentReceived(request: SeenRequest, status: Status): ReceivedRequest {
  return { ...presentRequest(request, status), sender: presentRelatedPerson(request.person) }
}

function presentSent(request: SeenRequest, status: Status): SentRequest {
  return { ...presentRequest(request, status), receiver: presentPerson(request.person) }
}

function presentPerson({ id, pseudo, avatarUrl }: Omit<PersonRow, 'email'>) {
  return { id, pseudo, avatar_url: avatarUrl }
}

function presentRelatedPerson(person: PersonRow) {
  return { ...presentPerson(person), email: person.email, email_verified: person.email !== null }
}

function presentRequest(request: SeenRequest, status: Status) {
  return {
    id: request.id,
    sender_id: request.senderId,
    receiver_id: request.receiverId,
    type: request.type,
    status,
    message: request.message,
    created_at: request.createdAt.toISOString(),
  }
}
