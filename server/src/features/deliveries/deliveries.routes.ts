import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { notifyRevelation } from '#contract/deliveries.ts'
import type { AppContext } from '#server/context.ts'
import { requireActor, signedIn } from '#server/features/auth/auth.session.ts'
import { getEnvelope } from '#server/features/revelations/revelations.service.ts'
import { limited } from '#server/http/rate-limits.ts'
import { notifyAddressee } from './deliveries.service.ts'

export function deliveryRoutes(ctx: AppContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      ...notifyRevelation,
      config: limited(60, '1 hour'),
      preValidation: signedIn,
      handler: async (request) => {
        const actor = requireActor(request)
        const { id } = await getEnvelope(
          ctx,
          { actor, deliveryKey: null },
          request.body.revelationId,
        )
        return { queued: await notifyAddressee(ctx, actor, id) }
      },
    })
  }
}
