import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { sql } from 'kysely'
import { getHealth } from '#contract/health.ts'
import type { AppContext } from '#server/context.ts'
import { AppError } from '#server/errors.ts'
import { isDiskFull } from '#server/platform/storage/storage.ts'

const CHECK_EVERY_MS = 1_000

/** Rejects when the program cannot work now, and says whether the disk has room; asked once a second at most. */
function createCheck(ctx: AppContext): () => Promise<boolean> {
  let checkedAt = Number.NEGATIVE_INFINITY
  let last: Promise<boolean> = Promise.resolve(true)
  return () => {
    const now = performance.now()
    if (now - checkedAt >= CHECK_EVERY_MS) {
      checkedAt = now
      last = Promise.all([sql`select 1`.execute(ctx.db), hasRoom(ctx)]).then(([, room]) => room)
    }
    return last
  }
}

/** Without room most of the program goes on: no load balancer should send its people elsewhere for that. */
async function hasRoom({ storage, disk }: AppContext): Promise<boolean> {
  try {
    await storage.check()
    return !(await disk.isLow())
  } catch (error) {
    if (isDiskFull(error)) return false
    throw error
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
          const disk = (await check()) ? ('ok' as const) : ('low' as const)
          return { status: 'ok' as const, disk }
        } catch (error) {
          ctx.log.warn({ err: error }, 'not ready')
          throw new AppError('not_ready')
        }
      },
    })
  }
}
