import Fastify, { type FastifyInstance, LogController } from 'fastify'
import {
  type FastifyPluginAsyncZod,
  serializerCompiler,
  validatorCompiler,
} from 'fastify-type-provider-zod'
import { sql } from 'kysely'
import { getHealth } from '#contract/health.ts'
import type { AppContext } from '#server/context.ts'
import { AppError } from '#server/errors.ts'
import { isDiskFull } from '#server/platform/storage/storage.ts'
import { registerErrorHandler } from './error-handler.ts'

const CHECK_EVERY_MS = 1_000
/** A machine that is starved starts slowly, and still rightly: Fastify would give up after ten seconds. */
export const PLUGIN_TIMEOUT_MS = 120_000

/** Rejects when the program cannot work now; resolves with whether the disk has space. Checks once a second at most. */
function createCheck(ctx: AppContext): () => Promise<boolean> {
  let checkedAt = Number.NEGATIVE_INFINITY
  let last: Promise<boolean> = Promise.resolve(true)
  return () => {
    const now = performance.now()
    if (now - checkedAt >= CHECK_EVERY_MS) {
      checkedAt = now
      last = Promise.all([sql`select 1`.execute(ctx.db), hasSpace(ctx)]).then(([, room]) => room)
    }
    return last
  }
}

/** Without space most of the program works on: no load balancer should remove it for that. */
async function hasSpace({ storage, disk }: AppContext): Promise<boolean> {
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
        // A load balancer sends no more calls here; calls that arrive are answered.
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

/** The server of a process that is only a worker: `/api/health` as an api answers it, and nothing else. */
export async function createHealthServer(ctx: AppContext): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: ctx.log,
    logController: new LogController({ disableRequestLogging: true }),
    pluginTimeout: PLUGIN_TIMEOUT_MS,
    forceCloseConnections: true,
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  registerErrorHandler(app)
  await app.register(healthRoutes(ctx))
  return app
}
