import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as endpoints from '#contract/account.ts'
import type { AppContext } from '#server/context.ts'
import { requireActor, signedIn } from '#server/features/auth/auth.session.ts'
import { deleteAccount, getAccountRemains } from './account.service.ts'

export function accountRoutes(ctx: AppContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      ...endpoints.getAccountRemains,
      preValidation: signedIn,
      handler: async (request) => {
        const remains = await getAccountRemains(ctx, requireActor(request))
        return {
          revelations_count: remains.revelations,
          pending_count: remains.pending,
          sounds: remains.sounds.all,
          sealed_sounds: remains.sounds.sealed,
          pending: remains.letters.map(({ id, title, targetEmail, targetName, revealAt }) => ({
            id,
            title,
            target_email: targetEmail,
            target_name: targetName,
            reveal_date: revealAt.toISOString(),
          })),
        }
      },
    })

    app.route({
      ...endpoints.deleteAccount,
      preValidation: signedIn,
      handler: async (request) => {
        await deleteAccount(ctx, requireActor(request), request.body.password)
        return { success: true as const }
      },
    })
  }
}
