import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { announcePresence } from '#contract/presence.ts'
import type { AppContext } from '#server/context.ts'
import { viewerOf, visitOf } from '#server/features/access/viewers.service.ts'
import { rateLimitByCaller } from '#server/http/rate-limits.ts'
import { createPresence } from './presence.service.ts'

/** An open page calls three times a minute, and as it comes and goes. */
const CALLS_PER_MINUTE = { account: 120, network: 300 }
/** Of a caller who names none. */
const ONLY_PAGE = '00000000-0000-4000-8000-000000000000'

export function presenceRoutes(ctx: AppContext): FastifyPluginAsyncZod {
  return async (app) => {
    const announce = createPresence(ctx)
    app.route({
      ...announcePresence,
      config: rateLimitByCaller(CALLS_PER_MINUTE, '1 minute', { always: true }),
      handler: (request) => {
        const { page = ONLY_PAGE, leaving = false } = request.body ?? {}
        const visit = visitOf(request)
        return announce(viewerOf(request), request.params.id, { visit, page, isLeaving: leaving })
      },
    })
  }
}
