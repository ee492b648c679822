import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as endpoints from '#contract/api-tokens.ts'
import type { AppContext } from '#server/context.ts'
import { listTokens, presentToken, revokeToken } from '#server/features/auth/api-tokens.service.ts'
import { requireActor, signedIn } from '#server/features/auth/auth.session.ts'
import { rateLimit } from '#server/http/rate-limits.ts'
import { createApiToken } from './api-tokens.service.ts'

export function apiTokenRoutes(ctx: AppContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      ...endpoints.listApiTokens,
      handler: async (request) => {
        const tokens = await listTokens(ctx, requireActor(request).userId)
        return { tokens: tokens.map(presentToken) }
      },
    })

    app.route({
      ...endpoints.createApiToken,
      config: rateLimit(30, '1 hour'),
      preValidation: signedIn,
      handler: async (request, reply) => {
        const { token, row } = await createApiToken(ctx, requireActor(request), request.body)
        return reply.code(201).send({ token, api_token: presentToken(row) })
      },
    })

    app.route({
      ...endpoints.revokeApiToken,
      handler: async (request) => {
        await revokeToken(ctx, requireActor(request), request.params.id)
        return { success: true as const }
      },
    })
  }
}
