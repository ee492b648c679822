import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as endpoints from '#contract/profiles.ts'
import type { AppContext } from '#server/context.ts'
import { presentUser } from '#server/features/auth/auth.rules.ts'
import { getUser } from '#server/features/auth/auth.service.ts'
import { requireActor, signedIn } from '#server/features/auth/auth.session.ts'
import { editProfile } from './profiles.service.ts'

export function profileRoutes(ctx: AppContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      ...endpoints.getProfile,
      handler: async (request) => ({
        user: presentUser(await getUser(ctx, requireActor(request).userId)),
      }),
    })

    app.route({
      ...endpoints.updateProfile,
      preValidation: signedIn,
      handler: async (request) => ({
        user: presentUser(await editProfile(ctx, requireActor(request), request.body)),
      }),
    })
  }
}
