import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { openEvents } from '#contract/events.ts'
import type { AppContext } from '#server/context.ts'
import { requireActor, signedIn } from '#server/features/auth/auth.session.ts'
import { rateLimit } from '#server/http/rate-limits.ts'
import { createLiveEvents } from './events.service.ts'

/** Fastify stores the request until its response ends, here for hours: what is long in it is released now. */
function releaseAddress(request: FastifyRequest): void {
  request.query = {}
  request.raw.url = openEvents.url
}

export function eventRoutes(ctx: AppContext): FastifyPluginAsyncZod {
  return async (app) => {
    const live = createLiveEvents(ctx)
    app.addHook('preClose', () => live.close())

    app.route({
      ...openEvents,
      exposeHeadRoute: false,
      // A page opens another stream whenever what it shows changes.
      config: rateLimit(120, '1 minute'),
      preValidation: signedIn,
      handler: async (request, reply) => {
        const actor = requireActor(request)
        const watched = request.query.watch?.toLowerCase().split(',') ?? []
        await live.start()
        reply.headers({
          'content-type': 'text/event-stream; charset=utf-8',
          'cache-control': 'private, no-store, no-transform',
          // For proxies that would buffer a response until there is more of it.
          'x-accel-buffering': 'no',
        })
        reply.hijack()
        reply.raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders)
        reply.raw.flushHeaders()
        live.open(actor, watched, reply.raw)
        releaseAddress(request)
      },
    })
  }
}
