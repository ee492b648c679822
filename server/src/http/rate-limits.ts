import fastifyRateLimit, { type RateLimitOptions } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import { changeEmail, deleteAccount, resetPassword } from '#contract/account.ts'
import { createApiToken } from '#contract/api-tokens.ts'
import { changePassword, login, register } from '#contract/auth.ts'
import type { AppContext } from '#server/context.ts'
import { AppError } from '#server/errors.ts'
import { networkOf } from '#server/networks.ts'
import { isPageCall } from './page-calls.ts'
import { createRateStore } from './rate-counts.ts'
import { isApiCall } from './requests.ts'

const REQUESTS_PER_MINUTE = 600
const SEARCHES_PER_MINUTE = 30
/** The highest limit that PostgreSQL counts for all processes. */
const SEARCHES_PER_MINUTE_OF_NETWORK = 60

declare module 'fastify' {
  interface FastifyInstance {
    /** False with `RATE_LIMITS=off`: only what has `always` is limited. */
    hasEveryLimit: boolean
  }
}

/** How often an account, and a network of visitors, may call. */
interface MaxByCaller {
  account: number
  network: number
}

/**
 * Route option: at most `max` calls per account (or network, for a visitor) in the window. Low limits are counted for all
 * processes together; with `shared: false`, this process counts in its memory. With `always`, whatever `RATE_LIMITS` is.
 */
export function rateLimit(max: number, timeWindow: string, { shared = true, always = false } = {}) {
  return { rateLimit: { max, timeWindow, shared, always } }
}

/** The same with a limit of its own for the visitors of a network, who may be many; each process counts in its memory. */
export function rateLimitByCaller(
  { account, network }: MaxByCaller,
  timeWindow: string,
  { always = false } = {},
) {
  const max = (_request: FastifyRequest, caller: string) =>
    caller.startsWith(ACCOUNT) ? account : network
  return { rateLimit: { max, timeWindow, shared: false, always } }
}

const ACCOUNT = 'user:'

type CountCall = (request: FastifyRequest) => Promise<void>

/**
 * A limit for some of the calls of a route: each call of the returned function counts. `name` identifies it in all
 * processes; `keyOf` names what is counted, the caller by default. With `always`, whatever `RATE_LIMITS` is.
 */
export function createSubLimit(
  app: FastifyInstance,
  name: string,
  max: number,
  timeWindow: string,
  keyOf: (request: FastifyRequest) => string = keyOfCaller,
  { always = false } = {},
): CountCall {
  const count = createCounter(app, name, max, timeWindow, keyOf, { always })
  return async (request) => {
    const { isExceeded, ttlMs } = await count(request)
    if (isExceeded) throw tooMany(ttlMs)
  }
}

/** Like `createSubLimit`, for calls that are answered in another way beyond the limit instead of refused. */
export function createCounter(
  app: FastifyInstance,
  name: string,
  max: number,
  timeWindow: string,
  keyOf: (request: FastifyRequest) => string = keyOfCaller,
  { always = false } = {},
): (request: FastifyRequest) => Promise<{ isExceeded: boolean; ttlMs: number }> {
  if (!app.hasEveryLimit && !always) return async () => ({ isExceeded: false, ttlMs: 0 })
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

/** Limits searches of one kind, which cost a hundred times as much as other calls, by account and by network. */
export function createSearchLimit(app: FastifyInstance, kind: string): CountCall {
  const countCaller = createSubLimit(app, `${kind}-searches`, SEARCHES_PER_MINUTE, '1 minute')
  const countNetwork = createSubLimit(
    app,
    `${kind}-searches-of-network`,
    SEARCHES_PER_MINUTE_OF_NETWORK,
    '1 minute',
    keyOfNetwork,
  )
  return async (request) => {
    await countCaller(request)
    await countNetwork(request)
  }
}

function keyOfCaller(request: FastifyRequest): string {
  return request.session && request.session !== 'invalid'
    ? `${ACCOUNT}${request.session.userId}`
    : keyOfNetwork(request)
}

function keyOfNetwork({ ip }: FastifyRequest): string {
  return `network:${networkOf(ip)}`
}

function tooMany(ttlMs: number): AppError {
  return new AppError('too_many_requests', { retryAfterSeconds: Math.ceil(ttlMs / 1000) })
}

/**
 * Sets a general ceiling, and the lower limits of routes with `rateLimit`. With `RATE_LIMITS=off`, which is for
 * measurements, only those that always hold are left, and no header counts them.
 */
export async function registerRateLimits(app: FastifyInstance, ctx: AppContext): Promise<void> {
  const { rateLimits: isOn } = ctx.config.http
  app.decorate('hasEveryLimit', isOn)
  await app.register(fastifyRateLimit, {
    global: isOn,
    max: REQUESTS_PER_MINUTE,
    timeWindow: '1 minute',
    store: createRateStore(ctx),
    allowList: isOn ? isCountedElsewhere : (request) => !isAlwaysLimited(request),
    keyGenerator: keyOfCaller,
    errorResponseBuilder: (_request, context) => tooMany(context.ttl),
    ...(!isOn && { addHeaders: NO_HEADERS, addHeadersOnExceeding: NO_HEADERS }),
  })
}

const NO_HEADERS = {
  'x-ratelimit-limit': false,
  'x-ratelimit-remaining': false,
  'x-ratelimit-reset': false,
}

/**
 * Browsers cache the files of the pages, and one visit loads many of them at once; pages count themselves (`pages.ts`). A
 * route with a limit of its own always counts.
 */
function isCountedElsewhere(request: FastifyRequest): boolean {
  return (!isApiCall(request) || isPageCall(request)) && !request.routeOptions.config.rateLimit
}

function isAlwaysLimited({ routeOptions }: FastifyRequest): boolean {
  const { rateLimit: limit } = routeOptions.config as { rateLimit?: { always?: boolean } }
  return limit?.always ?? false
}

const PASSWORDS_PER_MINUTE_OF_NETWORK = 30

/** Every endpoint that hashes a password. */
const PASSWORD_ENDPOINTS = [
  register,
  login,
  changePassword,
  changeEmail,
  resetPassword,
  deleteAccount,
  createApiToken,
]

/**
 * Limits the calls of these endpoints together, by network: each costs a hundred times as much as others. Must run before
 * the routes are registered.
 */
export function registerPasswordLimit(app: FastifyInstance): void {
  const name = 'passwords-of-network'
  const count = createSubLimit(app, name, PASSWORDS_PER_MINUTE_OF_NETWORK, '1 minute', keyOfNetwork)
  app.addHook('onRoute', (route) => {
    // After validation: a call with an invalid body hashes nothing.
    if (hashesPassword(route)) route.preHandler = [route.preHandler ?? [], count].flat()
  })
}

function hashesPassword({ method, url }: RouteOptions): boolean {
  return PASSWORD_ENDPOINTS.some((one) => one.method === method && one.url === url)
}
