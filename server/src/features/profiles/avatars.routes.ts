import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { idSchema } from '#contract/text.ts'
import type { AppContext } from '#server/context.ts'
import { rateLimit } from '#server/http/rate-limits.ts'
import { readAvatar } from './avatar-files.service.ts'

const A_YEAR_SECONDS = 31_536_000

const schema = {
  summary: 'The picture of a person, at the address their profile gives',
  tags: ['files'],
  params: z.object({ userId: idSchema, name: z.string() }),
}

export function avatarRoutes(ctx: AppContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      '/api/avatars/:userId/:name',
      { config: rateLimit(1_200, '1 minute'), schema },
      async (request, reply) => {
        const { userId, name } = request.params
        const bytes = await readAvatar(ctx, userId, name)
        return reply
          .headers({
            'content-security-policy': "sandbox; default-src 'none'",
            'x-content-type-options': 'nosniff',
            'cache-control': `public, max-age=${A_YEAR_SECONDS}, immutable`,
          })
          .type('image/webp')
          .send(bytes)
      },
    )
  }
}
