import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  IDEMPOTENCY_HEADER,
  IDEMPOTENCY_KEY_MAX_LENGTH,
  isIdempotencyKey,
  REPLAYED_HEADER,
} from '#contract/idempotency.ts'
import { fieldError } from '#server/errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route takes an `Idempotency-Key`. Endpoints of the contract say so there. */
    createsOnce?: true
  }
  interface FastifyRequest {
    /** The key of a call to a route that takes one; undefined without. */
    idempotencyKey: string | undefined
  }
}

/** Reads `Idempotency-Key` where a route takes one. Must run before the routes are registered. */
export function registerIdempotencyKeys(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if ((route as { createsOnce?: true }).createsOnce) {
      route.config = { ...route.config, createsOnce: true }
    }
  })
  app.decorateRequest('idempotencyKey', undefined)
  app.addHook('preHandler', async (request) => {
    if (request.routeOptions.config.createsOnce) request.idempotencyKey = readKey(request)
  })
}

/** A header that is sent twice arrives as one, with a space in it. */
function readKey({ headers }: FastifyRequest): string | undefined {
  const key = headers[IDEMPOTENCY_HEADER]
  if (key === undefined) return undefined
  if (typeof key === 'string' && isIdempotencyKey(key)) return key
  throw fieldError(
    'Idempotency-Key',
    `La clé Idempotency-Key compte de 1 à ${IDEMPOTENCY_KEY_MAX_LENGTH} signes ASCII visibles`,
  )
}

/** What a call asks for, as its schemas read it: what tells whether another one is the same. */
export function callOf(request: FastifyRequest) {
  const { method, params, body, routeOptions, idempotencyKey } = request
  return {
    key: idempotencyKey,
    operation: `${method} ${routeOptions.url}`,
    input: { params, body },
  }
}

/** Says that the answer is of something that an earlier call made. */
export function markReplayed(reply: FastifyReply): void {
  reply.header(REPLAYED_HEADER, 'true')
}
