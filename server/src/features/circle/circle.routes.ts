import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { CircleMember, CircleReveal } from '#contract/circle.ts'
import * as endpoints from '#contract/circle.ts'
import { DEFAULT_TIME_ZONE } from '#contract/sealing.ts'
import type { AppContext } from '#server/context.ts'
import { requireActor } from '#server/features/auth/auth.session.ts'
import { rateLimit } from '#server/http/rate-limits.ts'
import {
  getStatistics,
  listMembers,
  listReveals,
  type Member,
  type Reveal,
} from './circle.service.ts'

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

function presentMember(member: Member): CircleMember {
  return {
    id: member.id,
    user_id: member.userId,
    pseudo: member.pseudo,
    avatar_url: member.avatarUrl,
    relationship_type: 'family',
    status: 'accepted',
    created_at: member.createdAt.toISOString(),
    deliveries_count: member.deliveries,
    sounds_count: member.sounds,
  }
}

function presentReveal(reveal: Reveal): CircleReveal {
  return {
    kind: reveal.kind,
    id: reveal.id,
    title: reveal.title,
    author_id: reveal.authorId,
    author_pseudo: reveal.authorPseudo,
    reveal_date: reveal.revealAt.toISOString(),
    time_zone: reveal.timeZone,
    is_revealed: reveal.isRevealed,
  }
}
