import type { FastifyInstance } from 'fastify'
import type { AppContext } from '#server/context.ts'
import { findActorByToken } from '#server/features/auth/auth.service.ts'

/** Reads `Authorization: Bearer` into `request.session`. The token never reaches a log. */
export function registerBearerToken(app: FastifyInstance, ctx: AppContext): void {
  app.decorateRequest('session', null)
  app.addHook('onRequest', async (request) => {
    const header = request.headers.authorization
    if (!header) return
    const token = /^Bearer ([A-Za-z0-9_-]{43})$/i.exec(header)?.[1]
    const actor = token ? await findActorByToken(ctx, token) : undefined
    request.session = actor ? { ...actor, ip: request.ip } : 'invalid'
  })
}
