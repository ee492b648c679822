import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as endpoints from '#contract/comments.ts'
import type { AppContext } from '#server/context.ts'
import { viewerOf } from '#server/features/access/viewers.service.ts'
import { requireActor, signedInTo } from '#server/features/auth/auth.session.ts'
import { rateLimit } from '#server/http/rate-limits.ts'
import { presentComment } from './comments.presenter.ts'
import { addComment, listComments, removeComment } from './comments.service.ts'

const signedInToComment = signedInTo('Vous devez être connecté pour commenter')
/** Beyond what a person writes, within what a script would. */
const COMMENTS_PER_MINUTE = 30

export function commentRoutes(ctx: AppContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      ...endpoints.listComments,
      handler: async (request) => {
        const { revelationId } = request.params
        const page = await listComments(ctx, viewerOf(request), revelationId, request.query)
        return {
          comments: page.seen.map(presentComment),
          total: page.total,
          next_cursor: page.nextCursor,
        }
      },
    })

    app.route({
      ...endpoints.addComment,
      config: rateLimit(COMMENTS_PER_MINUTE, '1 minute'),
      preValidation: signedInToComment,
      handler: async (request, reply) => {
        const commenter = { ...viewerOf(request), actor: requireActor(request) }
        const comment = presentComment(await addComment(ctx, commenter, request.body))
        return reply.code(201).send({ id: comment.id, comment })
      },
    })

    app.route({
      ...endpoints.removeComment,
      preValidation: signedInToComment,
      handler: async (request) => {
        const commenter = { ...viewerOf(request), actor: requireActor(request) }
        await removeComment(ctx, commenter, request.params.id)
        return { success: true as const }
      },
    })
  }
}
