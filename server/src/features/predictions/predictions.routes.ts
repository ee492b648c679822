import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as endpoints from '#contract/predictions.ts'
import type { AppContext } from '#server/context.ts'
import { requireActor, signedIn, signedInTo } from '#server/features/auth/auth.session.ts'
import { rateLimit } from '#server/http/rate-limits.ts'
import { declareOutcome, setVote } from './predictions.service.ts'

const signedInToVote = signedInTo('Connectez-vous pour voter')
/** More than a person taps, less than a script would. */
const VOTES_PER_MINUTE = 60
const DECLARATIONS_PER_HOUR = 60

async function acceptAliases(request: FastifyRequest): Promise<void> {
  request.body = endpoints.normalizeDeclaration(request.body)
}

export function predictionRoutes(ctx: AppContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      ...endpoints.declareOutcome,
      config: rateLimit(DECLARATIONS_PER_HOUR, '1 hour'),
      preValidation: [signedIn, acceptAliases],
      handler: async (request) => {
        const { params, body } = request
        return { prediction: await declareOutcome(ctx, requireActor(request), params.id, body) }
      },
    })

    app.route({
      ...endpoints.castVote,
      config: rateLimit(VOTES_PER_MINUTE, '1 minute'),
      preValidation: signedInToVote,
      handler: async (request) => {
        const { params, body } = request
        return { prediction: await setVote(ctx, requireActor(request), params.id, body.outcome) }
      },
    })

    app.route({
      ...endpoints.withdrawVote,
      config: rateLimit(VOTES_PER_MINUTE, '1 minute'),
      preValidation: signedInToVote,
      handler: async (request) => ({
        prediction: await setVote(ctx, requireActor(request), request.params.id, undefined),
      }),
    })
  }
}
