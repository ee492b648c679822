import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as endpoints from '#contract/received.ts'
import type { AppContext } from '#server/context.ts'
import { signedInViewerOf } from '#server/features/access/viewers.service.ts'
import { requireActor, signedIn } from '#server/features/auth/auth.session.ts'
import { presentRevelation } from '#server/features/revelations/revelations.presenter.ts'
import { createSearchLimit, rateLimit } from '#server/http/rate-limits.ts'
import { listAnniversaries } from './anniversaries.service.ts'
import {
  listReceived,
  type ReceivedView,
  saveReceived,
  unsaveReceived,
} from './received.service.ts'

const SAVES_PER_MINUTE = 60

function presentReceived({ seen, state, since, source, isAnswered }: ReceivedView) {
  const received = {
    state,
    since: since.toISOString(),
    opened_at: seen.openedAt?.toISOString() ?? null,
    source,
    is_answered: isAnswered,
  }
  return { ...presentRevelation(seen), received }
}

export function receivedRoutes(ctx: AppContext): FastifyPluginAsyncZod {
  return async (app) => {
    const countSearch = createSearchLimit(app, 'revelation')

    app.route({
      ...endpoints.listReceived,
      preValidation: signedIn,
      handler: async (request) => {
        if (request.query.q?.trim()) await countSearch(request)
        const list = await listReceived(ctx, requireActor(request), request.query)
        return {
          revelations: list.received.map(presentReceived),
          next_cursor: list.nextCursor,
          counts: list.counts,
        }
      },
    })

    app.route({
      ...endpoints.saveRevelation,
      config: rateLimit(SAVES_PER_MINUTE, '1 minute'),
      preValidation: signedIn,
      handler: async (request) => {
        await saveReceived(ctx, signedInViewerOf(request), request.params.id)
        return { success: true as const }
      },
    })

    app.route({
      ...endpoints.unsaveRevelation,
      config: rateLimit(SAVES_PER_MINUTE, '1 minute'),
      preValidation: signedIn,
      handler: async (request) => {
        await unsaveReceived(ctx, requireActor(request), request.params.id)
        return { success: true as const }
      },
    })

    app.route({
      ...endpoints.listAnniversaries,
      preValidation: signedIn,
      handler: async (request) => {
        const { time_zone } = request.query
        const found = await listAnniversaries(ctx, requireActor(request), time_zone)
        return {
          anniversaries: found.map(({ seen, years, side }) => ({
            revelation: presentRevelation(seen),
            years,
            side,
          })),
        }
      },
    })
  }
}
