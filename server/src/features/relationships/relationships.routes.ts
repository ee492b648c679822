import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as endpoints from '#contract/relationships.ts'
import type { AppContext } from '#server/context.ts'
import { requireActor, signedIn } from '#server/features/auth/auth.session.ts'
import { rateLimit } from '#server/http/rate-limits.ts'
import { blockPerson, listBlocks, unblockPerson } from './blocks.service.ts'
import {
  presentReceived,
  presentRelationship,
  presentSent,
  presentSomebody,
} from './relationships.presenter.ts'
import { endRelationship, listRelationships } from './relationships.service.ts'
import {
  answerRequest,
  askRelationship,
  listRequests,
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
      ...endpoints.askRelationship,
      config: rateLimit(30, '1 hour'),
      preValidation: signedIn,
      handler: async (request, reply) => {
        const actor = requireActor(request)
        const { request: asked, relationship } = await askRelationship(ctx, actor, request.body)
        return reply.code(201).send({
          request: presentSent(asked, relationship ? 'accepted' : 'pending'),
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
            ...presentSomebody(person),
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
