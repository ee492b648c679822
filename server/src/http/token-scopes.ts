import type { FastifyInstance, FastifyRequest } from 'fastify'
import { API_TOKEN_PREFIX } from '#contract/api-tokens.ts'
import type { Scope } from '#contract/endpoint.ts'
import { AppError } from '#server/errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a token of the API needs to call the route; without one, none may. Endpoints of the contract name it there. */
    scope?: Scope
  }
}

/** How the document of the API names the two ways to call. */
export const SESSION_SCHEME = 'session'
export const TOKEN_SCHEME = 'token'

/**
 * Refuses to a token of the API every route that its scopes do not name, and all of them unless `requireUsable` lets its
 * account have tokens. Must run before the routes are registered.
 */
export function registerTokenScopes(
  app: FastifyInstance,
  requireUsable: (userId: string) => Promise<void>,
): void {
  app.addHook('onRoute', (route) => {
    const scope = (route as { scope?: Scope }).scope ?? route.config?.scope
    if (!scope) return
    route.config = { ...route.config, scope }
    const security: Record<string, string[]>[] = [
      {},
      { [SESSION_SCHEME]: [] },
      { [TOKEN_SCHEME]: [scope] },
    ]
    route.schema = { ...route.schema, security }
  })
  // After the rate limits, which count what is refused here, and before the body is read.
  app.addHook('preParsing', async (request) => {
    const { session } = request
    if (session === 'invalid' && bearsToken(request)) {
      throw new AppError('unauthenticated', {
        message: 'Ce jeton n’existe pas, a été révoqué ou a pris fin. Créez-en un autre.',
      })
    }
    if (!session || session === 'invalid' || !session.scopes) return
    const { url, config } = request.routeOptions
    // Pages know no account.
    if (!url?.startsWith('/api/')) return
    if (!config.scope) throw new AppError('session_required')
    if (!session.scopes.includes(config.scope)) throw new AppError('scope_missing')
    await requireUsable(session.userId)
  })
}

const BEARS_TOKEN = new RegExp(`^Bearer ${API_TOKEN_PREFIX}`, 'i')

function bearsToken({ headers }: FastifyRequest): boolean {
  return BEARS_TOKEN.test(headers.authorization ?? '')
}
