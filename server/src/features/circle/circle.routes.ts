import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as endpoints from '#contract/circle.ts'
import { DEFAULT_TIME_ZONE } from '#contract/sealing.ts'
import type { AppContext } from '#server/context.ts'
import { requireActor } from '#server/features/auth/auth.session.ts'
import { rateLimit } from '#server/http/rate-limits.ts'
import { presentMember, presentReveal } from './circle.presenter.ts'
import { listMembers, listReveals } from './circle.service.ts'
import { getStatistics } from './statistics.service.ts'

export function circleRoutes(ctx: AppContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      ...endpoints.listCircleMembers,
      handler: async (request) => {
        const members = await listMembers(ctx, requireActor(request))
        return { members: members.map(presentMember) }
      },
    })

    app.route({
      ...endpoints.getCircleStatistics,
      config: rateLimit(120, '1 minute'),
      handler: async (request) => {
        const { time_zone: timeZone = DEFAULT_TIME_ZONE } = request.query
        return getStatistics(ctx, requireActor(request), timeZone)
      },
    })

    app.route({
      ...endpoints.listCircleReveals,
      config: rateLimit(240, '1 minute'),
      handler: async (request) => {
        const { from, to, time_zone: timeZone = DEFAULT_TIME_ZONE } = request.query
        const listed = await listReveals(ctx, requireActor(request), { from, to, timeZone })
        return { reveals: listed.reveals.map(presentReveal), upcoming: listed.upcoming }
      },
    })
  }
}
