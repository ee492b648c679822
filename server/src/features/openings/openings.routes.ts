import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { openRevelation as endpoint } from '#contract/revelations.ts'
import type { AppContext } from '#server/context.ts'
import { viewerOf } from '#server/features/access/viewers.service.ts'
import { rateLimit } from '#server/http/rate-limits.ts'
import { openRevelation } from './openings.service.ts'

export function openingRoutes(ctx: AppContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      ...endpoint,
      config: rateLimit(60, '1 minute'),
      handler: async (request) => {
        const tellsAuthor = request.body?.tell_author ?? true
        const openedAt = await openRevelation(ctx, viewerOf(request), request.params.id, {
          tellsAuthor,
        })
        return { opened_at: openedAt.toISOString() }
      },
    })
  }
}
