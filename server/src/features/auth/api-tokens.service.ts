import {
  API_TOKEN_PREFIX,
  API_TOKENS_PER_ACCOUNT,
  type ApiToken,
  type ApiTokenInput,
} from '#contract/api-tokens.ts'
import type { AppContext } from '#server/context.ts'
import { AppError, notFound } from '#server/errors.ts'
import { hashToken, randomToken } from '#server/platform/tokens.ts'
import {
  type ApiTokenRow,
  deleteToken,
  findActiveToken,
  insertToken,
  listTokensOf,
  setTokenUsed,
} from './api-tokens.repository.ts'
import { actorOfToken, lockSignedIn } from './auth.service.ts'
import type { Actor } from './auth.session.ts'

const DAY_MS = 86_400_000
const NOTED_EVERY_MS = 60_000

/** Creates a token, whose secret is known from here on to whoever asked alone; `too_many_tokens`. */
export async function createToken(
  tx: AppContext,
  actor: Actor,
  { name, scopes, expires_in_days: days }: Omit<ApiTokenInput, 'password'>,
): Promise<{ token: string; row: ApiTokenRow }> {
  await lockSignedIn(tx, actor)
  const { userId } = actor
  const count = (await listTokensOf(tx.db, userId)).length
  if (count >= API_TOKENS_PER_ACCOUNT) throw new AppError('too_many_tokens')
  const token = API_TOKEN_PREFIX + randomToken()
  const createdAt = tx.now()
  const row = await insertToken(tx.db, {
    userId,
    tokenHash: hashToken(token),
    name,
    // Many calls that write answer what they wrote: whoever may write reads.
    scopes: scopes.includes('write') ? ['read', 'write'] : ['read'],
    createdAt,
    expiresAt: days ? new Date(createdAt.getTime() + days * DAY_MS) : null,
  })
  return { token, row }
}

export async function listTokens(ctx: AppContext, userId: string): Promise<ApiTokenRow[]> {
  return listTokensOf(ctx.db, userId)
}

export async function revokeToken(ctx: AppContext, { userId }: Actor, id: string): Promise<void> {
  if (!(await deleteToken(ctx.db, userId, id))) throw notFound()
}

/** The actor of a token of the API; undefined for one that is unknown, revoked or past its end. Notes its use. */
export async function findActorByApiToken(
  ctx: AppContext,
  token: string,
): Promise<Actor | undefined> {
  const now = ctx.now()
  const found = await findActiveToken(ctx.db, { tokenHash: hashToken(token) }, now)
  if (!found) return undefined
  const unlessSince = new Date(now.getTime() - NOTED_EVERY_MS)
  if (!found.lastUsedAt || found.lastUsedAt <= unlessSince) {
    await setTokenUsed(ctx.db, found.id, { now, unlessSince })
  }
  return actorOfToken(found)
}

/** The name and the facts of a token. Its secret is stored nowhere. */
export function presentToken(token: Omit<ApiTokenRow, 'tokenHash' | 'userId'>): ApiToken {
  return {
    id: token.id,
    name: token.name,
    scopes: token.scopes,
    created_at: token.createdAt.toISOString(),
    last_used_at: token.lastUsedAt?.toISOString() ?? null,
    expires_at: token.expiresAt?.toISOString() ?? null,
  }
}
