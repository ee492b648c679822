import type { FastifyRequest } from 'fastify'
import type { Scope } from '#contract/endpoint.ts'
import { AppError } from '#server/errors.ts'

/** The signed-in account of a call. */
export interface Actor {
  userId: string
  /** Of the session, or of the token of the API that stands for one. */
  sessionId: string
  /** Lower-case address when it is verified: only then does it give the rights of a recipient. */
  verifiedEmailKey: string | null
  /** What a token of the API is for; a session may do everything. */
  scopes?: readonly Scope[]
  /** The address of a call; work that runs later in somebody’s name has none. */
  ip?: string
}

/** False for a token of the API that reads alone: it may not even bring about what a page does as it is first looked at. */
export function mayWrite({ scopes }: Pick<Actor, 'scopes'>): boolean {
  return scopes?.includes('write') ?? true
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by http/requests.ts: the actor, null without a token, 'invalid' for one that opens nothing. */
    session: Actor | null | 'invalid'
  }
}

/** The actor, or null for a visitor. An invalid token is refused, so that its bearer learns of the end of the session. */
export function actorOf(request: FastifyRequest): Actor | null {
  if (request.session === 'invalid') throw new AppError('unauthenticated')
  return request.session
}

/** The actor; `unauthenticated` without an active session, for a visitor with this message. */
export function requireActor(request: FastifyRequest, message?: string): Actor {
  const actor = actorOf(request)
  if (!actor) throw new AppError('unauthenticated', message ? { message } : {})
  return actor
}

/** Route hook: refuses a visitor before the body is validated. */
export async function signedIn(request: FastifyRequest): Promise<void> {
  requireActor(request)
}

/** Route hook like `signedIn`, for what visitors see and may try: the message says what an account is for. */
export function signedInTo(message: string): (request: FastifyRequest) => Promise<void> {
  return async (request) => {
    requireActor(request, message)
  }
}
