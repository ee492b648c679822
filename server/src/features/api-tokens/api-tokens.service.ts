import { API_TOKEN_PREFIX, type ApiTokenInput } from '#contract/api-tokens.ts'
import { type AppContext, inTransaction } from '#server/context.ts'
import { createToken, findActorByApiToken } from '#server/features/auth/api-tokens.service.ts'
import { findActorByToken, getUser } from '#server/features/auth/auth.service.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { lockSamePassword, requirePassword } from '#server/features/auth/password-tries.service.ts'
import { requireFeature } from '#server/features/subscriptions/subscriptions.service.ts'

/** The actor of what a call bears: the token of a session, or one of the API. */
export async function findBearer(ctx: AppContext, token: string): Promise<Actor | undefined> {
  // A session’s may begin so too, by chance.
  const isOfApi = token.startsWith(API_TOKEN_PREFIX) && token.length > 43
  return isOfApi ? findActorByApiToken(ctx, token) : findActorByToken(ctx, token)
}

/** A token outlives the session: like every other way in, it asks for the password. */
export async function createApiToken(
  ctx: AppContext,
  actor: Actor,
  { password, ...input }: ApiTokenInput,
): ReturnType<typeof createToken> {
  await requireFeature(ctx, actor.userId, 'api')
  const user = await getUser(ctx, actor.userId)
  await requirePassword(ctx, actor, user, { password, field: 'password' })
  return inTransaction(ctx, async (tx) => {
    await lockSamePassword(tx, user, 'password')
    return createToken(tx, actor, input)
  })
}
