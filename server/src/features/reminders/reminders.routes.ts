import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as endpoints from '#contract/reminders.ts'
import type { AppContext } from '#server/context.ts'
import { viewerOf } from '#server/features/access/viewers.service.ts'
import { requireActor } from '#server/features/auth/auth.session.ts'
import { rateLimit } from '#server/http/rate-limits.ts'
import { renderCalendarFile } from './calendar-file.service.ts'
import { isReminded, removeReminder, setReminder } from './reminders.service.ts'

const SIGN_IN = 'Connectez-vous pour demander un rappel'

export function reminderRoutes(ctx: AppContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      ...endpoints.getReminder,
      handler: async (request) => {
        const actor = requireActor(request, SIGN_IN)
        return { reminded: await isReminded(ctx, actor, request.params.id) }
      },
    })

    app.route({
      ...endpoints.setReminder,
      config: rateLimit(60, '1 minute'),
      handler: async (request) => {
        await setReminder(ctx, requireActor(request, SIGN_IN), request.params.id)
        return { reminded: true }
      },
    })

    app.route({
      ...endpoints.removeReminder,
      handler: async (request) => {
        await removeReminder(ctx, requireActor(request, SIGN_IN), request.params.id)
        return { reminded: false }
      },
    })

    app.route({
      ...endpoints.getCalendarFile,
      handler: async (request, reply) => {
        const file = await renderCalendarFile(ctx, viewerOf(request), request.params.id)
        return reply
          .type('text/calendar; charset=utf-8')
          .header('content-disposition', 'attachment; filename="revelation.ics"')
          .header('cache-control', 'private, no-store')
          .send(file)
      },
    })
  }
}
