import type { FastifyInstance } from 'fastify'
import { createApi } from '#server/api.ts'
import { type Config, readConfig } from '#server/config.ts'
import { createContext, type RunningContext } from '#server/create-context.ts'
import { requireLogNotSetBack } from '#server/features/proofs/high-water-mark.service.ts'
import { requireOwnLog } from '#server/features/proofs/log-keys.service.ts'
import { hooks } from '#server/hooks.ts'
import { listExposureWarnings } from '#server/http/exposure.ts'
import { closeGracefully } from '#server/http/graceful-close.ts'
import { createHealthServer } from '#server/http/health.ts'
import { startHandlers } from '#server/platform/jobs/jobs.ts'
import { startSchedules } from '#server/platform/jobs/schedules.ts'
import { createLog } from '#server/platform/log.ts'
import { StartError } from '#server/platform/start-error.ts'
import { handlers, schedules } from '#server/worker.ts'

/** The time for requests to drain and jobs to return to the queue; after it, the program exits anyway. */
const STOP_WITHIN_MS = 30_000

type Stop = () => Promise<void>

/** Starts the program of this role: api, worker or both. `stop` ends requests, jobs, and PostgreSQL last. */
async function startProgram(
  config: Config,
): Promise<{ ctx: RunningContext; ready: string; stop: Stop }> {
  const log = createLog(config.logLevel)
  const ctx = await createContext(config, { log, jobs: handlers.map(({ job }) => job), hooks })
  for (const warning of listExposureWarnings(config)) log.warn(warning)
  async function stop(): Promise<void> {
    ctx.announceStop()
    await ctx.close()
  }
  try {
    await requireOwnLog(ctx)
    await requireLogNotSetBack(ctx)
    if (config.role !== 'api') ctx.beforeClose(await startWorker(ctx))
    ctx.beforeClose(config.role === 'worker' ? await startHealth(ctx) : await startApi(ctx))
  } catch (error) {
    await stop().catch((err) => log.error({ err }, 'the stop was not clean'))
    throw error
  }
  const ready = config.role === 'worker' ? 'ready to work' : `ready on ${config.http.publicUrl}`
  return { ctx, ready, stop }
}

async function startWorker(ctx: RunningContext): Promise<Stop> {
  await startHandlers(ctx.boss, ctx, handlers)
  // Only one program at a time opens an embedded database.
  return startSchedules(ctx, schedules, { isAlone: ctx.config.databaseUrl === undefined })
}

async function startApi(ctx: RunningContext): Promise<Stop> {
  return listen(ctx, await createApi(ctx), 'PORT', ctx.config.http.port)
}

async function startHealth(ctx: RunningContext): Promise<Stop> {
  const { healthPort } = ctx.config.http
  if (healthPort === undefined) return async () => {}
  return listen(ctx, await createHealthServer(ctx), 'HEALTH_PORT', healthPort)
}

async function listen(
  ctx: RunningContext,
  app: FastifyInstance,
  variable: string,
  port: number,
): Promise<Stop> {
  const { host } = ctx.config.http
  try {
    await app.listen({ host, port })
  } catch (error) {
    await app.close()
    throw listenError(error as NodeJS.ErrnoException, host, `${variable} ${port}`)
  }
  return () => closeGracefully(app)
}

function listenError(error: NodeJS.ErrnoException, host: string, port: string): Error {
  const reasons: Record<string, string> = {
    EADDRINUSE: `${port} is already taken on ${host}: stop the other program or choose another one.`,
    EACCES: `${port} may not be opened by this user: choose one above 1024.`,
    EADDRNOTAVAIL: `HOST ${host} is not an address of this machine.`,
    ENOTFOUND: `HOST ${host} is not an address of this machine.`,
  }
  const reason = error.code && reasons[error.code]
  return reason ? new StartError(reason) : error
}

function exitOn(signals: NodeJS.Signals[], ctx: RunningContext, stop: Stop): void {
  let isExiting = false
  async function exit(reason: string, exitCode: number): Promise<void> {
    if (isExiting) return
    isExiting = true
    ctx.log.info({ reason }, 'stopping')
    setTimeout(() => {
      ctx.log.error(`the stop took more than ${STOP_WITHIN_MS / 1000} s`)
      process.exit(1)
    }, STOP_WITHIN_MS).unref()
    try {
      await stop()
      process.exit(exitCode)
    } catch (error) {
      ctx.log.error({ err: error }, 'the stop was not clean')
      process.exit(1)
    }
  }
  for (const signal of signals) process.on(signal, () => void exit(signal, 0))
  void ctx.failed.then((error) => exit(error.message, 1))
}

try {
  const { ctx, ready, stop } = await startProgram(readConfig())
  // Before it is said: whoever reads that sentence may end the program at once.
  exitOn(['SIGTERM', 'SIGINT'], ctx, stop)
  ctx.log.info(`Révélations is ${ready}`)
} catch (error) {
  // A mistake of the operator is one sentence; anything else is a bug and shows its stack.
  const text =
    error instanceof StartError ? error.message : ((error as Error).stack ?? String(error))
  process.stderr.write(`${text}\n`)
  process.exit(1)
}
