import { createHash } from 'node:crypto'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as endpoints from '#contract/calendar.ts'
import type { AppContext } from '#server/context.ts'
import { requireActor, signedIn } from '#server/features/auth/auth.session.ts'
import { limited } from '#server/http/rate-limits.ts'
import { presentEvent } from './calendar.rules.ts'
import { addEvent, importEvents, openCalendar, removeEvent } from './calendar.service.ts'
import { findFeedUrl, makeFeed, readFeed, revokeFeed } from './feeds.service.ts'

export function calendarRoutes(ctx: AppContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      ...endpoints.listCalendarEvents,
      handler: async (request) => {
        const { events, isImported } = await openCalendar(ctx, requireActor(request))
        return { events: events.map(presentEvent), imported: isImported }
      },
    })

    app.route({
      ...endpoints.createCalendarEvent,
      config: limited(120, '1 minute'),
      preValidation: signedIn,
      handler: async (request, reply) => {
        const event = await addEvent(ctx, requireActor(request), request.body)
        return reply.code(201).send({ event: presentEvent(event) })
      },
    })

    app.route({
      ...endpoints.deleteCalendarEvent,
      handler: async (request) => {
        await removeEvent(ctx, requireActor(request), request.params.id)
        return { success: true as const }
      },
    })

    app.route({
      ...endpoints.importCalendarEvents,
      config: limited(20, '1 minute'),
      preValidation: signedIn,
      handler: async (request) => {
        const events = await importEvents(ctx, requireActor(request), request.body.events)
        return { events: events.map(presentEvent) }
      },
    })

    app.route({
      ...endpoints.getCalendarFeed,
      handler: async (request) => ({ url: await findFeedUrl(ctx, requireActor(request)) }),
    })

    app.route({
      ...endpoints.createCalendarFeed,
      config: limited(20, '1 minute'),
      handler: async (request, reply) => {
        const url = await makeFeed(ctx, requireActor(request))
        return reply.code(201).send({ url })
      },
    })

    app.route({
      ...endpoints.revokeCalendarFeed,
      handler: async (request) => {
        await revokeFeed(ctx, requireActor(request))
        return { success: true as const }
      },
    })

    app.route({
      ...endpoints.readCalendarFeed,
      // Programs ask for many people from one network.
      config: limited(120, '1 minute'),
      handler: async (request, reply) => {
        const calendar = await readFeed(ctx, request.params.file)
        const etag = `"${createHash('sha256').update(calendar).digest('base64url').slice(0, 22)}"`
        reply.header('cache-control', 'private, no-store').header('etag', etag)
        if (request.headers['if-none-match'] === etag) return reply.code(304).send()
        return reply.type('text/calendar; charset=utf-8').send(calendar)
      },
    })
  }
}
