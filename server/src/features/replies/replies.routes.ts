import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as endpoints from '#contract/replies.ts'
import type { AppContext } from '#server/context.ts'
import {
  keyHolderOf,
  signedInViewerOf,
  type Viewer,
  viewerOf,
} from '#server/features/access/viewers.service.ts'
import { signedIn } from '#server/features/auth/auth.session.ts'
import { createOnceFor } from '#server/features/idempotency/creating-routes.service.ts'
import type { Owner } from '#server/features/idempotency/idempotency.rules.ts'
import { rateLimit } from '#server/http/rate-limits.ts'
import { presentReply } from './replies.presenter.ts'
import {
  answerReply,
  blockReplies,
  getReply,
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

    /** An account, or else the personal link that the caller bears. */
    async function ownerOf(viewer: Viewer): Promise<Owner | undefined> {
      if (viewer.actor) return { userId: viewer.actor.userId }
      const keyHolder = await keyHolderOf(ctx, viewer)
      return keyHolder && { deliveryId: keyHolder.deliveryId }
    }

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
        const viewer = viewerOf(request)
        const added = await createOnceFor(
          ctx,
          { request, reply, owner: await ownerOf(viewer) },
          (tx) => addReply(tx, viewer, id, request.body),
          (replyId) => replyId,
        )
        const replyId = added.isReplay ? added.resourceId : added.created
        const view = await getReply(ctx, viewer, { revelationId: id, replyId })
        return reply.code(201).send({ reply: presentReply(view) })
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
        const viewer = viewerOf(request)
        const place = { revelationId: id, replyId }
        await createOnceFor(
          ctx,
          { request, reply, owner: await ownerOf(viewer) },
          (tx) => answerReply(tx, viewer, place, request.body.content),
          () => replyId,
        )
        return reply.code(201).send({ reply: presentReply(await getReply(ctx, viewer, place)) })
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
