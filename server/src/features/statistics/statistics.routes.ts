import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { DEFAULT_TIME_ZONE } from '#contract/sealing.ts'
import type { LetterStatistics } from '#contract/statistics.ts'
import * as endpoints from '#contract/statistics.ts'
import type { AppContext } from '#server/context.ts'
import { requireActor } from '#server/features/auth/auth.session.ts'
import { rateLimit } from '#server/http/rate-limits.ts'
import type { LetterRow } from './statistics.repository.ts'
import { getStatistics, listLetterStatistics } from './statistics.service.ts'

export function statisticsRoutes(ctx: AppContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      ...endpoints.getStatistics,
      config: rateLimit(120, '1 minute'),
      handler: async (request) => {
        const { period = '12-months', time_zone: timeZone = DEFAULT_TIME_ZONE } = request.query
        return getStatistics(ctx, requireActor(request), { period, timeZone })
      },
    })

    app.route({
      ...endpoints.listLetterStatistics,
      config: rateLimit(120, '1 minute'),
      handler: async (request) => {
        const { period = '12-months', time_zone: timeZone = DEFAULT_TIME_ZONE } = request.query
        const { sort = 'date', order = 'desc', page = 1, limit = 25 } = request.query
        const rows = await listLetterStatistics(ctx, requireActor(request), {
          ...{ period, timeZone, sort, order, page, limit },
        })
        return { letters: rows.map(presentLetter), total: rows[0]?.total ?? 0 }
      },
    })
  }
}

function presentLetter({ total: _, revealAt, timeZone, ...row }: LetterRow): LetterStatistics {
  return { ...row, reveal_date: revealAt.toISOString(), time_zone: timeZone }
}
