import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as endpoints from '#contract/deliveries.ts'
import type { AppContext } from '#server/context.ts'
import { getEnvelope } from '#server/features/access/envelopes.service.ts'
import { requireActor, signedIn } from '#server/features/auth/auth.session.ts'
import { rateLimit } from '#server/http/rate-limits.ts'
import { presentDelivery } from './deliveries.rules.ts'
import {
  getRecentRecipients,
  handOver,
  notifyRecipients,
  readdress,
  resend,
  revoke,
} from './deliveries.service.ts'

export function deliveryRoutes(ctx: AppContext): FastifyPluginAsyncZod {
  return async (app) => {
    const guarded = { config: rateLimit(60, '1 hour'), preValidation: signedIn }

    app.route({
      ...endpoints.notifyRevelation,
      ...guarded,
      handler: async (request) => {
        const actor = requireActor(request)
        const { id } = await getEnvelope(
          ctx,
          { actor, deliveryKey: null },
          request.body.revelationId,
        )
        return { queued: await notifyRecipients(ctx, actor, id) }
      },
    })

    app.route({
      ...endpoints.listRecentRecipients,
      handler: async (request) => {
        const people = await getRecentRecipients(ctx, requireActor(request))
        return {
          people: people.map(({ address, name, lastAt }) => ({
            email: address,
            name,
            last_at: lastAt.toISOString(),
          })),
        }
      },
    })

    app.route({
      ...endpoints.readdressDelivery,
      ...guarded,
      handler: async (request) => {
        const { id } = request.params
        const changed = await readdress(ctx, requireActor(request), id, request.body)
        return { delivery: presentDelivery(changed) }
      },
    })

    app.route({
      ...endpoints.resendDelivery,
      ...guarded,
      handler: async (request) => {
        const changed = await resend(ctx, requireActor(request), request.params.id)
        return { delivery: presentDelivery(changed) }
      },
    })

    app.route({
      ...endpoints.handDelivery,
      ...guarded,
      handler: async (request) => {
        const { delivery, url } = await handOver(ctx, requireActor(request), request.params.id)
        return { delivery: presentDelivery(delivery), url }
      },
    })

    app.route({
      ...endpoints.revokeDelivery,
      ...guarded,
      handler: async (request) => {
        const changed = await revoke(ctx, requireActor(request), request.params.id)
        return { delivery: presentDelivery(changed) }
      },
    })
  }
}
