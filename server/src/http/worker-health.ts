import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import type { AppContext } from '#server/context.ts'
import { registerErrorHandler } from './error-handler.ts'
import { healthRoutes } from './health.ts'

/** Says whether a process that is a worker alone can work, at the address of an api's `/api/health`, and nothing else. */
export async function createWorkerHealth(ctx: AppContext): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: ctx.log,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: true,
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  registerErrorHandler(app)
  await app.register(healthRoutes(ctx))
  return app
}
