import type { Insertable, Selectable } from 'kysely'
import type { Scope } from '#contract/endpoint.ts'
import type { Db } from '#server/platform/database/db.ts'
import type { ApiTokens } from '#server/platform/database/tables.ts'

export type ApiTokenRow = Omit<Selectable<ApiTokens>, 'scopes'> & { scopes: Scope[] }

export async function insertToken(
  db: Db,
  token: Omit<Insertable<ApiTokens>, 'scopes'> & { scopes: Scope[] },
): Promise<ApiTokenRow> {
  const row = await db
    .insertInto('apiTokens')
    .values(token)
    .returningAll()
    .executeTakeFirstOrThrow()
  return row as ApiTokenRow
}

/** The tokens of a person, ended ones too, the newest first. */
export async function listTokensOf(db: Db, userId: string): Promise<ApiTokenRow[]> {
  const rows = await db
    .selectFrom('apiTokens')
    .selectAll()
    .where('userId', '=', userId)
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .execute()
  return rows as ApiTokenRow[]
}

/** A token that has not ended, with the address of its account. */
export async function findActiveToken(
  db: Db,
  by: { tokenHash: Buffer } | { id: string },
  now: Date,
) {
  const row = await db
    .selectFrom('apiTokens')
    .innerJoin('users', 'users.id', 'apiTokens.userId')
    .select([
      'apiTokens.id',
      'apiTokens.userId',
      'apiTokens.scopes',
      'apiTokens.lastUsedAt',
      'users.emailKey',
      'users.emailVerifiedAt',
    ])
    .$if('id' in by, (query) => query.where('apiTokens.id', '=', (by as { id: string }).id))
    .$if('tokenHash' in by, (query) =>
      query.where('apiTokens.tokenHash', '=', (by as { tokenHash: Buffer }).tokenHash),
    )
    .where((where) => where.or([where('expiresAt', 'is', null), where('expiresAt', '>', now)]))
    .executeTakeFirst()
  return row as (typeof row & { scopes: Scope[] }) | undefined
}

/** Notes a use, unless another call noted one since `unlessSince`. */
export async function setTokenUsed(
  db: Db,
  id: string,
  { now, unlessSince }: { now: Date; unlessSince: Date },
): Promise<void> {
  await db
    .updateTable('apiTokens')
    .set({ lastUsedAt: now })
    .where('id', '=', id)
    .where((where) =>
      where.or([where('lastUsedAt', 'is', null), where('lastUsedAt', '<=', unlessSince)]),
    )
    .execute()
}

/** False when it is not this person’s, or already gone. */
export async function deleteToken(db: Db, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('apiTokens')
    .where('id', '=', id)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Ends the tokens of this person and answers their rows. */
export async function deleteTokensOf(db: Db, userId: string): Promise<ApiTokenRow[]> {
  const rows = await db
    .deleteFrom('apiTokens')
    .where('userId', '=', userId)
    .returningAll()
    .execute()
  return rows as ApiTokenRow[]
}

/** Inserts tokens that were ended. */
export async function insertTokens(db: Db, tokens: ApiTokenRow[]): Promise<void> {
  if (tokens.length > 0) await db.insertInto('apiTokens').values(tokens).execute()
}
