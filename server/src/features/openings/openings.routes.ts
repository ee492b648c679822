import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { openRevelation as endpoint } from '#contract/revelations.ts'
import type { AppContext } from '#server/context.ts'
import { viewerOf } from '#server/features/access/viewers.service.ts'
import { rateLimit } from '#server/http/rate-limits.ts'
import { openRevelation } from './openings.service.ts'

/** Each may write in the journal of an author. */
const OPENINGS_PER_MINUTE = 60

export function openingRoutes(ctx: AppContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      ...endpoint,
      config: rateLimit(OPENINGS_PER_MINUTE, '1 minute', { always: true }),
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
