import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as endpoints from '#contract/auth.ts'
import type { AppContext } from '#server/context.ts'
import { rateLimit } from '#server/http/rate-limits.ts'
import { presentUser } from './auth.rules.ts'
import * as auth from './auth.service.ts'
import { requireActor, signedIn } from './auth.session.ts'
import { changePassword } from './passwords.service.ts'

function originOf(request: FastifyRequest): auth.Origin {
  return { ip: request.ip, userAgent: request.headers['user-agent'] }
}

export function authRoutes(ctx: AppContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      ...endpoints.register,
      config: rateLimit(60, '1 hour'),
      handler: async (request, reply) => {
        const { token, user } = await auth.register(ctx, request.body, originOf(request))
        return reply.code(201).send({ token, user: presentUser(user) })
      },
    })

    app.route({
      ...endpoints.login,
      handler: async (request) => {
        const { token, user } = await auth.logIn(ctx, request.body, originOf(request))
        return { token, user: presentUser(user) }
      },
    })

    app.route({
      ...endpoints.logout,
      handler: async (request) => {
        await auth.logOut(ctx, requireActor(request))
        return { success: true as const }
      },
    })

    app.route({
      ...endpoints.verifyToken,
      handler: async (request) => {
        const user = await auth.getUser(ctx, requireActor(request).userId)
        return { user: presentUser(user) }
      },
    })

    app.route({
      ...endpoints.changePassword,
      preValidation: signedIn,
      handler: async (request) => {
        await changePassword(ctx, requireActor(request), request.body)
        return { success: true as const }
      },
    })

    app.route({
      ...endpoints.listSessions,
      handler: async (request) => {
        const actor = requireActor(request)
        const sessions = await auth.listSessions(ctx, actor)
        return {
          sessions: sessions.map((session) => ({
            id: session.id,
            created_at: session.createdAt.toISOString(),
            last_seen_at: session.lastSeenAt.toISOString(),
            device: session.device,
            current: session.id === actor.sessionId,
          })),
        }
      },
    })

    app.route({
      ...endpoints.endSession,
      handler: async (request) => {
        const actor = requireActor(request)
        await auth.endSession(ctx, actor, request.params.id)
        return { success: true as const }
      },
    })

    app.route({
      ...endpoints.endOtherSessions,
      handler: async (request) => {
        await auth.endOtherSessions(ctx, requireActor(request))
        return { success: true as const }
      },
    })
  }
}
