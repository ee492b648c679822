import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { sql } from 'kysely'
import { getHealth } from '#contract/health.ts'
import type { AppContext } from '#server/context.ts'
import { AppError } from '#server/errors.ts'

const CHECK_EVERY_MS = 1_000

/** Whether the program can work now; asked of the disk and the database once a second at most. */
function createCheck(ctx: AppContext): () => Promise<unknown> {
  let checkedAt = Number.NEGATIVE_INFINITY
  let last: Promise<unknown> = Promise.resolve()
  return () => {
    const now = performance.now()
    if (now - checkedAt >= CHECK_EVERY_MS) {
      checkedAt = now
      last = Promise.all([sql`select 1`.execute(ctx.db), ctx.storage.check()])
    }
    return last
  }
}

export function healthRoutes(ctx: AppContext): FastifyPluginAsyncZod {
  const check = createCheck(ctx)
  return async (app) => {
    app.route({
      ...getHealth,
      config: { rateLimit: false },
      handler: async () => {
        // Whoever shares out the calls sends no more of them here; those that come are answered.
        if (ctx.stopping.aborted) throw new AppError('stopping')
        try {
          await check()
        } catch (error) {
          ctx.log.warn({ err: error }, 'not ready')
          throw new AppError('not_ready')
        }
        return { status: 'ok' as const }
      },
    })
  }
}
