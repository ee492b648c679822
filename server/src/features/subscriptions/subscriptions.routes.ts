import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as endpoints from '#contract/subscriptions.ts'
import type { AppContext } from '#server/context.ts'
import { fieldError } from '#server/errors.ts'
import { requireActor, signedIn } from '#server/features/auth/auth.session.ts'
import {
  getPreferences,
  updatePreferences,
} from '#server/features/mails/mail-preferences.service.ts'
import { rateLimit } from '#server/http/rate-limits.ts'
import { PLAN_OFFERS, STORAGE_OPTIONS } from './offers.rules.ts'
import { buyStorage, choosePlan, demoPayments, type PaymentProvider } from './purchases.service.ts'
import { getSubscription, type MeasureStorage } from './subscriptions.service.ts'

/** `api.ts` passes `storageUsedBy` of `media`, which imports this feature. */
export function subscriptionRoutes(
  ctx: AppContext,
  storageUsedBy: MeasureStorage,
  payments: PaymentProvider = demoPayments,
): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      ...endpoints.getSubscription,
      handler: (request) => getSubscription(ctx, requireActor(request).userId, storageUsedBy),
    })

    app.route({
      ...endpoints.listPlans,
      handler: async () => ({
        plans: [...PLAN_OFFERS],
        storageOptions: [...STORAGE_OPTIONS],
        simulated: ctx.config.simulatedPlans,
      }),
    })

    app.route({
      ...endpoints.upgradePlan,
      preValidation: signedIn,
      config: rateLimit(30, '1 minute'),
      handler: async (request) => {
        const { userId } = requireActor(request)
        const { plan, idempotency_key: key } = request.body
        await choosePlan(ctx, payments, userId, { plan, key })
        return getSubscription(ctx, userId, storageUsedBy)
      },
    })

    app.route({
      ...endpoints.buyStorage,
      preValidation: signedIn,
      config: rateLimit(30, '1 minute'),
      handler: async (request) => {
        const { userId } = requireActor(request)
        const { storage_amount: storageMb, idempotency_key: key } = request.body
        await buyStorage(ctx, payments, userId, { storageMb, key })
        return getSubscription(ctx, userId, storageUsedBy)
      },
    })

    app.route({
      ...endpoints.getPreferences,
      handler: async (request) => ({
        preferences: await getPreferences(ctx, requireActor(request).userId),
      }),
    })

    app.route({
      ...endpoints.savePreferences,
      preValidation: signedIn,
      handler: async (request) => {
        const { userId, verifiedEmailKey } = requireActor(request)
        if (request.body.repliesByEmail && verifiedEmailKey === null)
          throw fieldError('repliesByEmail', 'Vérifiez d’abord votre adresse e-mail')
        return { preferences: await updatePreferences(ctx, userId, request.body) }
      },
    })
  }
}
