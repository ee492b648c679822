import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as endpoints from '#contract/calendar.ts'
import type { AppContext } from '#server/context.ts'
import { requireActor, signedIn } from '#server/features/auth/auth.session.ts'
import { revokeCalendarToken } from '#server/features/auth/calendar-addresses.service.ts'
import { createOnceFor } from '#server/features/idempotency/creating-routes.service.ts'
import { createSubLimit, rateLimit } from '#server/http/rate-limits.ts'
import { etagOf, isUnmodified } from '#server/http/requests.ts'
import { presentEvent } from './calendar.rules.ts'
import { addEvent, getEvent, importEvents, openCalendar, removeEvent } from './calendar.service.ts'
import { createFeed, findFeedUrl, readFeed } from './feeds.service.ts'

/** The most events at once, each of the longest. */
const IMPORT_MAX_BYTES = 2 * 1024 * 1024

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
      config: rateLimit(120, '1 minute'),
      preValidation: signedIn,
      handler: async (request, reply) => {
        const actor = requireActor(request)
        const added = await createOnceFor(
          ctx,
          { request, reply, owner: { userId: actor.userId } },
          (tx) => addEvent(tx, actor, request.body),
          ({ id }) => id,
        )
        const event = added.isReplay ? await getEvent(ctx, actor, added.resourceId) : added.created
        const presented = presentEvent(event)
        return reply.code(201).send({ ...presented, event: presented })
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
      bodyLimit: IMPORT_MAX_BYTES,
      config: rateLimit(20, '1 minute'),
      preValidation: signedIn,
      handler: async (request) => {
        const events = await importEvents(ctx, requireActor(request), request.body.events)
        return { events: events.map(presentEvent) }
      },
    })

    app.route({
      ...endpoints.getCalendarFeed,
      handler: async (request) => {
        const { url, endedAt } = await findFeedUrl(ctx, requireActor(request))
        return { url, ended_at: endedAt?.toISOString() ?? null }
      },
    })

    app.route({
      ...endpoints.createCalendarFeed,
      config: rateLimit(20, '1 minute'),
      handler: async (request, reply) => {
        const url = await createFeed(ctx, requireActor(request))
        return reply.code(201).send({ url })
      },
    })

    app.route({
      ...endpoints.revokeCalendarFeed,
      handler: async (request) => {
        await revokeCalendarToken(ctx, requireActor(request))
        return { success: true as const }
      },
    })

    app.route({
      ...endpoints.readCalendarFeed,
      config: {
        rateLimit: {
          ...rateLimit(20, '1 minute').rateLimit,
          keyGenerator: ({ params }: FastifyRequest) => `feed:${(params as { file: string }).file}`,
        },
      },
      // One network may read the calendars of many people.
      preHandler: createSubLimit(app, 'calendar-feeds-of-a-network', 120, '1 minute'),
      handler: async (request, reply) => {
        const calendar = await readFeed(ctx, request.params.file)
        const etag = etagOf(calendar)
        reply.header('cache-control', 'private, no-store').header('etag', etag)
        if (isUnmodified(request, etag)) return reply.code(304).send()
        return reply.type('text/calendar; charset=utf-8').send(calendar)
      },
    })
  }
}
