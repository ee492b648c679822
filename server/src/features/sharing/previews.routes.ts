import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { AppContext } from '#server/context.ts'
import { rateLimit } from '#server/http/rate-limits.ts'
import { isUnmodified } from '#server/http/requests.ts'
import { createCards, findCard } from './cards.service.ts'

const schema = { hide: true, params: z.object({ name: z.string() }) }

/** Pictures for those who show the address of a page elsewhere: social networks, messengers. */
export function previewRoutes(ctx: AppContext): FastifyPluginAsyncZod {
  const draw = createCards()
  return async (app) => {
    app.get(
      '/apercu/:name',
      { config: rateLimit(300, '1 minute'), schema },
      async (request, reply) => {
        const card = await findCard(ctx, request.params.name.replace(/\.png$/, ''))
        const { png, etag } = await draw(card)
        reply.headers({
          // A cache revalidates each time: the gate may answer otherwise the next moment.
          'cache-control': 'no-cache',
          etag,
          'content-security-policy': "sandbox; default-src 'none'",
          // Other sites show it.
          'cross-origin-resource-policy': 'cross-origin',
        })
        if (isUnmodified(request, etag)) return reply.code(304).send()
        return reply.type('image/png').send(png)
      },
    )
  }
}
