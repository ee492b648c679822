import { type ExpressionBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import type { PublicRecord } from '#contract/predictions.ts'
import type { PublicFacts } from '#server/features/auth/auth.rules.ts'
import { type Db, literalPattern } from '#server/platform/database/db.ts'
import type { Tables, Users } from '#server/platform/database/tables.ts'
import type { ProfileFigures } from './profiles.rules.ts'

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

/** A hidden person is visible to themselves alone. */
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

export interface ProfileChange {
  pseudo?: string
  pseudoKey?: string
  pseudoSkeleton?: string
  bio?: string
  location?: string
  website?: string
  avatarUrl?: string | null
}

export async function updateProfile(
  db: Db,
  userId: string,
  change: ProfileChange,
): Promise<Selectable<Users>> {
  return db
    .updateTable('users')
    .set({ ...change, id: userId })
    .where('id', '=', userId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function setOnboarded(db: Db, userId: string, onboardedAt: Date): Promise<void> {
  await db
    .updateTable('users')
    .set({ onboardedAt })
    .where('id', '=', userId)
    .where('onboardedAt', 'is', null)
    .execute()
}

/** Hides the profile of a person or shows it again; false when that changes nothing, or the person is gone. */
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

/** The figures of a person’s revelations: of all, or of the public ones that are revealed. */
export async function sumFigures(
  db: Db,
  userId: string,
  now: Date,
  of: 'all' | 'public',
): Promise<ProfileFigures> {
  return db
    .selectFrom('revelations')
    .select([
      sql<number>`count(*)`.as('total'),
      sql<number>`count(*) filter (where reveal_at <= ${now})`.as('revealed'),
      sql<number>`coalesce(sum(reactions_count), 0)::bigint`.as('reactions'),
      sql<number>`coalesce(sum(comments_count), 0)::bigint`.as('comments'),
      sql<number>`coalesce(sum(views_count), 0)::bigint`.as('views'),
    ])
    .where('authorId', '=', userId)
    .$if(of === 'public', (query) =>
      query.where('visibility', '=', 'public').where('revealAt', '<=', now),
    )
    .executeTakeFirstOrThrow()
}

/**
 * The record of all that was sealed as a public prediction and waited, withdrawn or not (behaviour.md 8.3): the same for
 * every viewer.
 */
export async function readRecord(db: Db, userId: string, now: Date): Promise<PublicRecord> {
  const ofPublic = sql`reveal_at <= ${now} and visibility = 'public' and kind = 'prediction'`
  const counted = await db
    .selectFrom('users')
    .leftJoin('revelations', (join) =>
      join
        .onRef('revelations.authorId', '=', 'users.id')
        .on('revelations.recordState', '=', 'counted'),
    )
    .select([
      sql<number>`count(revelations.id)`.as('sealed'),
      sql<number>`count(revelations.id) filter (where reveal_at <= ${now})`.as('revealed'),
      sql<number>`count(*) filter (where ${ofPublic} and outcome = 'fulfilled')`.as('fulfilled'),
      sql<number>`count(*) filter (where ${ofPublic} and outcome = 'partly')`.as('partly'),
      sql<number>`count(*) filter (where ${ofPublic} and outcome = 'failed')`.as('failed'),
      sql<number>`count(*) filter (where ${ofPublic} and outcome = 'undecidable')`.as(
        'undecidable',
      ),
      sql<number>`count(*) filter (where ${ofPublic} and outcome is null)`.as('undeclared'),
      'users.withdrawnCount as withdrawn',
      sql<number>`(
        select count(*) from revelations as other
        where other.author_id = users.id and other.record_state = 'unattested'
      )`.as('unattested'),
    ])
    .where('users.id', '=', userId)
    .groupBy('users.id')
    .executeTakeFirstOrThrow()
  const { sealed, revealed, withdrawn, undeclared, unattested, ...outcomes } = counted
  const { fulfilled, partly, failed, undecidable } = outcomes
  return {
    sealed: sealed + withdrawn,
    revealed,
    withdrawn,
    outcomes,
    undeclared,
    narrowed: revealed - undeclared - fulfilled - partly - failed - undecidable,
    unattested,
  }
}

/** Counts one more withdrawal in a person’s public record. */
export async function countWithdrawal(db: Db, userId: string): Promise<void> {
  await db
    .updateTable('users')
    .set({ withdrawnCount: sql`withdrawn_count + 1` })
    .where('id', '=', userId)
    .execute()
}

export interface Search {
  text: string
  /** The search finds neither the seeker nor people whom a block of either side hides; null for a visitor. */
  seekerId: string | null
  limit: number
}

type Where = ExpressionBuilder<Tables, 'users'>

/** The person who has proved this address. */
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
 * People whose pseudo equals the text, begins with it or contains it, in this order. Each half reads its index up to the
 * limit: sorting all that a single letter finds would cost as much as there are people.
 */
export async function searchByPseudo(db: Db, search: Search): Promise<PublicFacts[]> {
  const beginning = await listBeginningWith(db, search)
  const missing = search.limit - beginning.length
  if (missing === 0) return beginning
  return [...beginning, ...(await listContaining(db, { ...search, limit: missing }))]
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

/** In the order of the index, in which an equal pseudo comes first. */
function listBeginningWith(db: Db, { text, seekerId, limit }: Search): Promise<PublicFacts[]> {
  return selectPublic(db)
    .where(sql<SqlBool>`${form} like ${literalPattern(text)} || '%'`)
    .where((where) => isShownTo(where, seekerId))
    .orderBy(form)
    .limit(limit)
    .execute()
}

/** The pieces of the text without the shorter ones, which are in far more pseudos. */
function longestPiecesOf(text: string) {
  return sql<string[]>`array(
    select piece from unnest(search_pieces(${text})) as piece
    where length(piece) = least(3, length(search_form(${text}))))`
}

/**
 * People whose pseudo contains the text after its beginning: any of them beyond the limit, in a stable order. Materialized,
 * or the planner would read everybody until the limit is reached.
 */
async function listContaining(db: Db, { text, seekerId, limit }: Search): Promise<PublicFacts[]> {
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
