import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as endpoints from '#contract/notifications.ts'
import type { AppContext } from '#server/context.ts'
import { requireActor, signedIn } from '#server/features/auth/auth.session.ts'
import { rateLimit } from '#server/http/rate-limits.ts'
import { listItems, readItems } from './items.service.ts'
import { presentNotification } from './notifications.presenter.ts'
import { getSwitches, saveSwitches } from './switches.service.ts'

export function notificationRoutes(ctx: AppContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      ...endpoints.listNotifications,
      preValidation: signedIn,
      handler: async (request) => {
        const page = await listItems(ctx, requireActor(request), request.query)
        return {
          notifications: page.items.map(presentNotification),
          next_cursor: page.nextCursor,
          unread: page.unread,
        }
      },
    })

    app.route({
      ...endpoints.readNotifications,
      preValidation: signedIn,
      config: rateLimit(300, '1 minute'),
      handler: async (request) => {
        const { body } = request
        const actor = requireActor(request)
        const reading = 'revelation_id' in body ? { revelationId: body.revelation_id } : body
        return { unread: await readItems(ctx, actor, reading) }
      },
    })

    app.route({
      ...endpoints.getNotificationSwitches,
      preValidation: signedIn,
      handler: async (request) => getSwitches(ctx, requireActor(request).userId),
    })

    app.route({
      ...endpoints.saveNotificationSwitches,
      preValidation: signedIn,
      config: rateLimit(60, '1 minute'),
      handler: async (request) => saveSwitches(ctx, requireActor(request), request.body),
    })
  }
}
