import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AppContext } from '#server/context.ts'
import { callOf, markReplayed } from '#server/http/idempotency.ts'
import type { Owner } from './idempotency.rules.ts'
import { type CreateResult, createOnce } from './idempotency.service.ts'

/** `createOnce` for the call of a route; the answer says when an earlier call had created it. */
export async function createOnceFor<T>(
  ctx: AppContext,
  {
    request,
    reply,
    owner,
  }: { request: FastifyRequest; reply: FastifyReply; owner: Owner | undefined },
  create: (tx: AppContext) => Promise<T>,
  idOf: (created: T) => string,
): Promise<CreateResult<T>> {
  const result = await createOnce(ctx, { ...callOf(request), owner }, create, idOf)
  if (result.isReplay) markReplayed(reply)
  return result
}
