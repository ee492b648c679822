import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as endpoints from '#contract/reports.ts'
import type { AppContext } from '#server/context.ts'
import { viewerOf } from '#server/features/access/viewers.service.ts'
import { createOnceFor } from '#server/features/idempotency/creating-routes.service.ts'
import { createSubLimit } from '#server/http/rate-limits.ts'
import { reportMail, reportTarget } from './reports.service.ts'

export function reportRoutes(ctx: AppContext): FastifyPluginAsyncZod {
  return async (app) => {
    // An operator reads each of them.
    const countVisitor = createSubLimit(app, 'reports-of-visitors', 10, '1 hour')
    const countPerson = createSubLimit(app, 'reports-of-people', 20, '1 hour')

    app.route({
      ...endpoints.createReport,
      handler: async (request, reply) => {
        const viewer = viewerOf(request)
        await (viewer.actor ? countPerson : countVisitor)(request)
        await createOnceFor(
          ctx,
          { request, reply, owner: viewer.actor ? { userId: viewer.actor.userId } : undefined },
          (tx) => reportTarget(tx, viewer, request.body),
          (id) => id,
        )
        return reply.code(201).send({ success: true as const })
      },
    })

    app.route({
      ...endpoints.createMailReport,
      handler: async (request, reply) => {
        await countVisitor(request)
        await reportMail(ctx, request.body)
        return reply.code(201).send({ success: true as const })
      },
    })
  }
}
