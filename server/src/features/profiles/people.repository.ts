import { type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { PublicFacts } from '#server/features/auth/auth.rules.ts'
import { type Db, literalPattern } from '#server/platform/database/db.ts'
import type { Tables } from '#server/platform/database/tables.ts'

export interface Search {
  text: string
  /** Finds neither themselves nor whom a block of either side hides; null for a visitor. */
  seekerId: string | null
  limit: number
}

type Where = ExpressionBuilder<Tables, 'users'>

const PUBLIC_COLUMNS = [
  'id',
  'pseudo',
  'avatarUrl',
  'bio',
  'location',
  'website',
  'emailVerifiedAt',
  'createdAt',
] as const

/** Whoever is hidden is seen by themselves alone. */
export async function findPublicUser(
  db: Db,
  id: string,
  viewerId: string | null,
): Promise<PublicFacts | undefined> {
  return db
    .selectFrom('users')
    .select(PUBLIC_COLUMNS)
    .where('id', '=', id)
    .where((where) => where.or([where('hiddenAt', 'is', null), where('id', '=', viewerId)]))
    .executeTakeFirst()
}

/** Hides the profile of a person or shows it again; false when it was so already, or the person is gone. */
export async function setProfileHidden(
  db: Db,
  id: string,
  hiddenAt: Date | null,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ hiddenAt })
    .where('id', '=', id)
    .where('hiddenAt', hiddenAt ? 'is' : 'is not', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Whose address this is: only who proved it is found by it. */
export async function findByEmailKey(
  db: Db,
  emailKey: string,
  seekerId: string | null,
): Promise<PublicFacts[]> {
  return selectPublic(db)
    .where('emailKey', '=', emailKey)
    .where('emailVerifiedAt', 'is not', null)
    .where((where) => isShownTo(where, seekerId))
    .execute()
}

/**
 * People whose pseudo is the text, begins with it or holds it, in this order. Each half is read by its index and
 * stops at the limit: sorting all that a single letter finds would cost as much as there are people.
 */
export async function searchByPseudo(db: Db, search: Search): Promise<PublicFacts[]> {
  const beginning = await listBeginningWith(db, search)
  const missing = search.limit - beginning.length
  if (missing === 0) return beginning
  return [...beginning, ...(await listHolding(db, { ...search, limit: missing }))]
}

function selectPublic(db: Db) {
  return db.selectFrom('users').select(PUBLIC_COLUMNS).where('hiddenAt', 'is', null)
}

function isShownTo(where: Where, seekerId: string | null) {
  if (!seekerId) return where.lit(true)
  return sql<SqlBool>`users.id <> ${seekerId} and not exists (
    select from blocks
    where (blocker_id, blocked_id) in ((${seekerId}, users.id), (users.id, ${seekerId})))`
}

const form = sql<string>`pseudo_form collate "C"`

/** In the order of the index, in which what is the text itself stands first. */
function listBeginningWith(db: Db, { text, seekerId, limit }: Search): Promise<PublicFacts[]> {
  return selectPublic(db)
    .where(sql<SqlBool>`${form} like ${literalPattern(text)} || '%'`)
    .where((where) => isShownTo(where, seekerId))
    .orderBy(form)
    .limit(limit)
    .execute()
}

/** The shorter ones are in far more pseudos. */
function longestPiecesOf(text: string) {
  return sql<string[]>`array(
    select piece from unnest(search_pieces(${text})) as piece
    where length(piece) = least(3, length(search_form(${text}))))`
}

/**
 * What holds the text further on: any of them when there are a great many, but always in the same order. Materialized,
 * or the planner would rather read everybody until the limit is reached.
 */
async function listHolding(db: Db, { text, seekerId, limit }: Search): Promise<PublicFacts[]> {
  const some = db
    .with(
      (cte) => cte('users').materialized(),
      (from) =>
        from
          .selectFrom('users')
          .select([...PUBLIC_COLUMNS, 'pseudoForm'])
          .where(sql<SqlBool>`search_pieces(pseudo) @> ${longestPiecesOf(text)}`)
          .where('hiddenAt', 'is', null),
    )
    .selectFrom('users')
    .select([...PUBLIC_COLUMNS, 'pseudoForm'])
    .where(sql<SqlBool>`position(search_form(${text}) in pseudo_form) > 1`)
    .where((where) => isShownTo(where as unknown as Where, seekerId))
    .limit(limit)
  return db.selectFrom(some.as('users')).select(PUBLIC_COLUMNS).orderBy(form).execute()
}
