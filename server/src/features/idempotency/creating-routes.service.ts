import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AppContext } from '#server/context.ts'
import { callOf, markReplayed } from '#server/http/idempotency.ts'
import type { Owner } from './idempotency.rules.ts'
import { createOnce, type Made } from './idempotency.service.ts'

/** `createOnce` for the call of a route; the answer says when an earlier call had made it. */
export async function createOnceFor<T>(
  ctx: AppContext,
  {
    request,
    reply,
    owner,
  }: { request: FastifyRequest; reply: FastifyReply; owner: Owner | undefined },
  create: (tx: AppContext) => Promise<T>,
  idOf: (made: T) => string,
): Promise<Made<T>> {
  const made = await createOnce(ctx, { ...callOf(request), owner }, create, idOf)
  if (made.isReplay) markReplayed(reply)
  return made
}
