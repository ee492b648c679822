import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { sql } from 'kysely'
import { getHealth } from '#contract/health.ts'
import type { AppContext } from '#server/context.ts'
import { AppError } from '#server/errors.ts'

export function healthRoutes(ctx: AppContext): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      ...getHealth,
      config: { rateLimit: false },
      handler: async () => {
        try {
          await Promise.all([sql`select 1`.execute(ctx.db), ctx.storage.check()])
        } catch (error) {
          ctx.log.warn({ err: error }, 'not ready')
          throw new AppError('not_ready')
        }
        return { status: 'ok' as const }
      },
    })
  }
}
