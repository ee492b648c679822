import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as endpoints from '#contract/replies.ts'
import type { AppContext } from '#server/context.ts'
import { signedInViewerOf, viewerOf } from '#server/features/access/viewers.service.ts'
import { signedIn } from '#server/features/auth/auth.session.ts'
import { rateLimit } from '#server/http/rate-limits.ts'
import { presentReply } from './replies.presenter.ts'
import {
  answerReply,
  blockReplies,
  listReplies,
  markRepliesRead,
  removeReply,
} from './replies.service.ts'
import { unblockSender } from './reply-blocks.service.ts'
import { addReply } from './reply-sending.service.ts'

/** Each may mail somebody; those to one letter have a lower limit in the service. */
const MESSAGES_PER_MINUTE = 30

export function replyRoutes(ctx: AppContext): FastifyPluginAsyncZod {
  return async (app) => {
    const config = rateLimit(MESSAGES_PER_MINUTE, '1 minute')

    app.route({
      ...endpoints.listReplies,
      handler: async (request) => {
        const found = await listReplies(ctx, viewerOf(request), request.params.id)
        return {
          replies: found.replies.map(presentReply),
          can_reply: found.canReply,
          blocks: found.blocks.map(({ id, address }) => ({ id, address })),
        }
      },
    })

    app.route({
      ...endpoints.addReply,
      config,
      handler: async (request, reply) => {
        const { id } = request.params
        const added = await addReply(ctx, viewerOf(request), id, request.body)
        return reply.code(201).send({ reply: presentReply(added) })
      },
    })

    app.route({
      ...endpoints.removeReply,
      handler: async (request) => {
        const { id, replyId } = request.params
        await removeReply(ctx, viewerOf(request), id, replyId)
        return { success: true as const }
      },
    })

    app.route({
      ...endpoints.answerReply,
      config,
      handler: async (request, reply) => {
        const { id, replyId } = request.params
        const place = { revelationId: id, replyId }
        const answered = await answerReply(ctx, viewerOf(request), place, request.body.content)
        return reply.code(201).send({ reply: presentReply(answered) })
      },
    })

    app.route({
      ...endpoints.markRepliesRead,
      handler: async (request) => {
        await markRepliesRead(ctx, viewerOf(request), request.params.id)
        return { success: true as const }
      },
    })

    app.route({
      ...endpoints.blockReplies,
      handler: async (request, reply) => {
        const { id, replyId } = request.params
        await blockReplies(ctx, viewerOf(request), { revelationId: id, replyId })
        return reply.code(201).send({ success: true as const })
      },
    })

    app.route({
      ...endpoints.unblockReplies,
      preValidation: signedIn,
      handler: async (request) => {
        await unblockSender(ctx, signedInViewerOf(request).actor, request.params.blockId)
        return { success: true as const }
      },
    })
  }
}
