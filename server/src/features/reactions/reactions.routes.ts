import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as endpoints from '#contract/reactions.ts'
import type { AppContext } from '#server/context.ts'
import { signedInViewerOf, viewerOf } from '#server/features/access/viewers.service.ts'
import { signedInTo } from '#server/features/auth/auth.session.ts'
import { rateLimit } from '#server/http/rate-limits.ts'
import { addReaction, listReactions, removeReactions } from './reactions.service.ts'

const signedInToReact = signedInTo('Vous devez être connecté pour réagir')
/** More than a person taps, less than a script would. */
const REACTIONS_PER_MINUTE = 120

export function reactionRoutes(ctx: AppContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      ...endpoints.listReactions,
      handler: (request) => listReactions(ctx, viewerOf(request), request.params.revelationId),
    })

    app.route({
      ...endpoints.addReaction,
      config: rateLimit(REACTIONS_PER_MINUTE, '1 minute'),
      preValidation: signedInToReact,
      handler: (request) => {
        const { revelation_id, emoji } = request.body
        return addReaction(ctx, signedInViewerOf(request), revelation_id, emoji)
      },
    })

    app.route({
      ...endpoints.removeReactions,
      config: rateLimit(REACTIONS_PER_MINUTE, '1 minute'),
      preValidation: signedInToReact,
      handler: (request) => {
        const emoji = request.query.emoji ?? request.body?.emoji
        return removeReactions(ctx, signedInViewerOf(request), request.params.revelationId, emoji)
      },
    })
  }
}
