import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Comment } from '#contract/comments.ts'
import * as endpoints from '#contract/comments.ts'
import type { AppContext } from '#server/context.ts'
import { signedInViewerOf, viewerOf } from '#server/features/access/viewers.service.ts'
import { signedInTo } from '#server/features/auth/auth.session.ts'
import { createOnceFor } from '#server/features/idempotency/creating-routes.service.ts'
import { rateLimit } from '#server/http/rate-limits.ts'
import {
  addComment,
  type CommentView,
  getComment,
  listComments,
  removeComment,
} from './comments.service.ts'

const signedInToComment = signedInTo('Vous devez être connecté pour commenter')
/** More than a person writes, less than a script would. */
const COMMENTS_PER_MINUTE = 30

export function commentRoutes(ctx: AppContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      ...endpoints.listComments,
      handler: async (request) => {
        const { revelationId } = request.params
        const page = await listComments(ctx, viewerOf(request), revelationId, request.query)
        return {
          comments: page.comments.map(presentComment),
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
        const viewer = signedInViewerOf(request)
        const added = await createOnceFor(
          ctx,
          { request, reply, owner: { userId: viewer.actor.userId } },
          (tx) => addComment(tx, viewer, request.body),
          ({ id }) => id,
        )
        const comment = added.isReplay
          ? { ...(await getComment(ctx, viewer, added.resourceId)), canDelete: true }
          : added.created
        return reply.code(201).send({ id: comment.id, comment: presentComment(comment) })
      },
    })

    app.route({
      ...endpoints.removeComment,
      preValidation: signedInToComment,
      handler: async (request) => {
        await removeComment(ctx, signedInViewerOf(request), request.params.id)
        return { success: true as const }
      },
    })
  }
}

function presentComment(comment: CommentView): Comment {
  return {
    id: comment.id,
    revelation_id: comment.revelationId,
    author_id: comment.authorId,
    author_pseudo: comment.pseudo,
    author_avatar: comment.avatarUrl,
    content: comment.content,
    created_at: comment.createdAt.toISOString(),
    can_delete: comment.canDelete,
  }
}
