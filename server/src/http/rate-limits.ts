import fastifyRateLimit, { type RateLimitOptions } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AppContext } from '#server/context.ts'
import { AppError } from '#server/errors.ts'
import { networkOf } from '#server/features/auth/auth.rules.ts'
import { isApiCall, isPageCall } from './api-calls.ts'
import { rateCountsOf } from './rate-counts.ts'

const REQUESTS_PER_MINUTE = 600
const SEARCHES_PER_MINUTE = 30
/** As many as PostgreSQL counts for all processes. */
const SEARCHES_PER_MINUTE_OF_NETWORK = 60

/**
 * Route option: at most `max` calls per account (or network, for a visitor) in the window. One that is not `shared` only
 * guards this process, which counts it in its memory; else what is low is counted for all processes together.
 */
export function limited(max: number, timeWindow: string, { shared = true } = {}) {
  return { rateLimit: { max, timeWindow, shared } }
}

type CountCall = (request: FastifyRequest) => Promise<void>

/**
 * A limit of its own for some of the calls of a route: each call it is asked about counts. Its name is what several
 * processes know it by. Counted for the caller, or with `keyOf` for whom it says.
 */
export function limitAmong(
  app: FastifyInstance,
  name: string,
  max: number,
  timeWindow: string,
  keyOf: (request: FastifyRequest) => string = callerOf,
): CountCall {
  const count = counted(app, name, max, timeWindow, keyOf)
  return async (request) => {
    const { isExceeded, ttlMs } = await count(request)
    if (isExceeded) throw tooMany(ttlMs)
  }
}

/** The same for calls that are served otherwise beyond the limit, rather than refused. */
export function counted(
  app: FastifyInstance,
  name: string,
  max: number,
  timeWindow: string,
  keyOf: (request: FastifyRequest) => string = callerOf,
): (request: FastifyRequest) => Promise<{ isExceeded: boolean; ttlMs: number }> {
  if (!app.hasDecorator('createRateLimit')) return async () => ({ isExceeded: false, ttlMs: 0 })
  const options: RateLimitOptions = {
    max,
    timeWindow,
    groupId: name,
    keyGenerator: keyOf,
    allowList: [],
  }
  const count = app.createRateLimit(options)
  return async (request) => {
    const limit = await count(request)
    return limit.isAllowed
      ? { isExceeded: false, ttlMs: 0 }
      : { isExceeded: limit.isExceeded, ttlMs: limit.ttl }
  }
}

/**
 * The limit of searches of one kind, each of which costs a hundred times what other calls do: by account, and by network
 * for all who share it, however many accounts they have.
 */
export function limitSearches(app: FastifyInstance, kind: string): CountCall {
  const countCaller = limitAmong(app, `${kind}-searches`, SEARCHES_PER_MINUTE, '1 minute')
  const countNetwork = limitAmong(
    app,
    `${kind}-searches-of-network`,
    SEARCHES_PER_MINUTE_OF_NETWORK,
    '1 minute',
    ofNetwork,
  )
  return async (request) => {
    await countCaller(request)
    await countNetwork(request)
  }
}

function callerOf(request: FastifyRequest): string {
  return request.session && request.session !== 'invalid'
    ? `user:${request.session.userId}`
    : ofNetwork(request)
}

export function ofNetwork({ ip }: FastifyRequest): string {
  return `network:${networkOf(ip)}`
}

function tooMany(ttlMs: number): AppError {
  return new AppError('too_many_requests', { retryAfterSeconds: Math.ceil(ttlMs / 1000) })
}

/** A general ceiling for everyone, and the lower ones that routes ask for with `limited`. */
export async function registerRateLimits(app: FastifyInstance, ctx: AppContext): Promise<void> {
  if (!ctx.config.http.rateLimits) return
  await app.register(fastifyRateLimit, {
    global: true,
    max: REQUESTS_PER_MINUTE,
    timeWindow: '1 minute',
    store: rateCountsOf(ctx),
    // The files of the pages are kept by browsers, and one visit asks for many of them at once; pages count what they cost
    // themselves (`pages.ts`). What says its own limit is none of these.
    allowList: (request) =>
      (!isApiCall(request) || isPageCall(request)) && !request.routeOptions.config.rateLimit,
    keyGenerator: callerOf,
    errorResponseBuilder: (_request, context) => tooMany(context.ttl),
  })
}
