import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as endpoints from '#contract/account.ts'
import type { AppContext } from '#server/context.ts'
import { rateLimit } from '#server/http/rate-limits.ts'
import { emailKeyOf } from '#server/platform/mail/email-address.ts'
import { requestPasswordLink } from './account-links.service.ts'
import { presentUser } from './auth.rules.ts'
import { requireActor, signedIn } from './auth.session.ts'
import * as addresses from './email-addresses.service.ts'
import { resetPassword } from './passwords.service.ts'

const success = { success: true as const }

export function accountLinkRoutes(ctx: AppContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      ...endpoints.sendVerification,
      preValidation: signedIn,
      handler: async (request) => {
        await addresses.sendVerification(ctx, requireActor(request))
        return success
      },
    })

    app.route({
      ...endpoints.verifyEmail,
      config: rateLimit(60, '1 hour'),
      handler: async (request) => {
        const user = await addresses.verifyEmail(ctx, request.body.token)
        return { user: presentUser(user) }
      },
    })

    app.route({
      ...endpoints.readEmailLink,
      config: rateLimit(60, '1 hour'),
      handler: (request) => addresses.readEmailLink(ctx, request.body.token),
    })

    app.route({
      ...endpoints.refuseEmailLink,
      config: rateLimit(60, '1 hour'),
      handler: async (request) => {
        await addresses.refuseEmailLink(ctx, request.body.token)
        return success
      },
    })

    app.route({
      ...endpoints.forgotPassword,
      config: rateLimit(20, '1 hour'),
      handler: async (request) => {
        await requestPasswordLink(ctx, emailKeyOf(request.body.email), 'forgotten')
        return success
      },
    })

    app.route({
      ...endpoints.resetPassword,
      config: rateLimit(60, '1 hour'),
      handler: async (request) => {
        await resetPassword(ctx, request.body, request.ip)
        return success
      },
    })

    app.route({
      ...endpoints.changeEmail,
      preValidation: signedIn,
      handler: async (request) => {
        await addresses.changeEmail(ctx, requireActor(request), request.body)
        return success
      },
    })
  }
}
