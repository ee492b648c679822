import type { FastifyRequest } from 'fastify'
import { AppError } from '#server/errors.ts'

/** Who acts, as the session proves it. */
export interface Actor {
  userId: string
  sessionId: string
  /** Lower-case address when it is verified: only then does it give the right of an addressee. */
  verifiedEmailKey: string | null
  /** Where a call comes from; what reads in somebody’s name later has none. */
  ip?: string
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by http/requests.ts: the actor, null without a token, 'invalid' for a token of no session. */
    session: Actor | null | 'invalid'
  }
}

/** The actor, or null for a visitor. An invalid token is refused: its bearer must learn that it is signed out. */
export function actorOf(request: FastifyRequest): Actor | null {
  if (request.session === 'invalid') throw new AppError('unauthenticated')
  return request.session
}

/** The actor; `unauthenticated` without a living session, a visitor with the sentence given. */
export function requireActor(request: FastifyRequest, message?: string): Actor {
  const actor = actorOf(request)
  if (!actor) throw new AppError('unauthenticated', message ? { message } : {})
  return actor
}

/** Route hook: refuses a visitor before the body is looked at. */
export async function signedIn(request: FastifyRequest): Promise<void> {
  requireActor(request)
}

/** Route hook like `signedIn`, for what a visitor sees and may try: they are told what an account is for. */
export function signedInTo(message: string): (request: FastifyRequest) => Promise<void> {
  return async (request) => {
    requireActor(request, message)
  }
}
