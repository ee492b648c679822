import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as endpoints from '#contract/push.ts'
import type { AppContext } from '#server/context.ts'
import { requireActor, signedIn } from '#server/features/auth/auth.session.ts'
import { rateLimit } from '#server/http/rate-limits.ts'
import { enqueueTrialPush } from './push-sending.service.ts'
import { getPushState, subscribe, unsubscribe } from './push-subscriptions.service.ts'

export function pushRoutes(ctx: AppContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      ...endpoints.getPush,
      handler: async (request) => {
        const { publicKey, isSubscribed } = await getPushState(ctx, requireActor(request))
        return { public_key: publicKey, subscribed: isSubscribed }
      },
    })

    app.route({
      ...endpoints.savePushSubscription,
      preValidation: signedIn,
      config: rateLimit(60, '1 hour'),
      handler: async (request) => {
        await subscribe(ctx, requireActor(request), request.body)
        return { subscribed: true }
      },
    })

    app.route({
      ...endpoints.deletePushSubscription,
      handler: async (request) => {
        await unsubscribe(ctx, requireActor(request))
        return { subscribed: false }
      },
    })

    app.route({
      ...endpoints.testPush,
      preValidation: signedIn,
      config: rateLimit(10, '1 hour'),
      handler: async (request) => ({ queued: await enqueueTrialPush(ctx, requireActor(request)) }),
    })
  }
}
