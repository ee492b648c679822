import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { API_TOKEN_PREFIX } from '#contract/api-tokens.ts'
import { SERVER_TIME_HEADER } from '#contract/endpoint.ts'

/** The token of a session, or one of the API. */
const BEARER = new RegExp(`^Bearer ((?:${API_TOKEN_PREFIX})?[A-Za-z0-9_-]{43})$`, 'i')

type SignedIn = Exclude<FastifyRequest['session'], 'invalid' | null>

/**
 * Reads `Authorization: Bearer` into `request.session`: a session, or a token of the API. `findActor` answers undefined for
 * one that opens nothing. No log contains it.
 */
export function registerBearerToken(
  app: FastifyInstance,
  findActor: (token: string) => Promise<SignedIn | undefined>,
): void {
  app.decorateRequest('session', null)
  app.addHook('onRequest', async (request) => {
    const header = request.headers.authorization
    if (!header) return
    const token = BEARER.exec(header)?.[1]
    const actor = token ? await findActor(token) : undefined
    request.session = actor ? { ...actor, ip: request.ip } : 'invalid'
  })
}

/** Logs one line per answer, with the route instead of the URL: URLs contain tickets, searches and names. */
export function registerRequestLog(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'answered',
    )
  })
}

/** Says when each answer of the API left, by the clock that decides what is revealed: open pages turn by it. */
export function registerServerTime(app: FastifyInstance, now: () => Date): void {
  app.addHook('onSend', async (request, reply) => {
    if (isApiCall(request)) reply.header(SERVER_TIME_HEADER, now().getTime())
  })
}

/** Whether the route or the URL of a request is the API's: `/%61pi/…` leads to the same route as `/api/…`. */
export function isApiCall(request: FastifyRequest): boolean {
  return [request.routeOptions.url, request.url].some((url) => url?.startsWith('/api/'))
}

/** The ETag of these bytes, or of a text that represents them: quoted, strong (RFC 9110, 8.8.3). */
export function etagOf(content: string | Buffer): string {
  return `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`
}

/** Whether the client has this version (RFC 9110, 13.1.2): proxies that compress turn tags into weak ones. */
export function isUnmodified({ headers }: FastifyRequest, etag: string): boolean {
  const tags = headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags?.some((tag) => tag === etag || tag === '*') ?? false
}
