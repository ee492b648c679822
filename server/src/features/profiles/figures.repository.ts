import { sql } from 'kysely'
import type { PublicRecord } from '#contract/predictions.ts'
import type { Db } from '#server/platform/database/db.ts'
import type { Figures } from './figures.rules.ts'

/** The figures of a person’s revelations: of all of them, or of what is public and revealed. */
export async function sumFigures(
  db: Db,
  userId: string,
  now: Date,
  of: 'all' | 'public',
): Promise<Figures> {
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

/** What was ever public, those withdrawn included (behaviour.md 8.3): the same for everyone. */
export async function readRecord(db: Db, userId: string, now: Date): Promise<PublicRecord> {
  const ofPublic = sql`reveal_at <= ${now} and visibility = 'public'`
  const counted = await db
    .selectFrom('users')
    .leftJoin('revelations', (join) =>
      join.onRef('revelations.authorId', '=', 'users.id').on('revelations.wasPublic', '=', true),
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
    ])
    .where('users.id', '=', userId)
    .groupBy('users.id')
    .executeTakeFirstOrThrow()
  const { sealed, revealed, withdrawn, undeclared, ...outcomes } = counted
  const { fulfilled, partly, failed, undecidable } = outcomes
  return {
    sealed: sealed + withdrawn,
    revealed,
    withdrawn,
    outcomes,
    undeclared,
    narrowed: revealed - undeclared - fulfilled - partly - failed - undecidable,
  }
}

/** Counts one more withdrawn item in a person’s public record. */
export async function countWithdrawal(db: Db, userId: string): Promise<void> {
  await db
    .updateTable('users')
    .set({ withdrawnCount: sql`withdrawn_count + 1` })
    .where('id', '=', userId)
    .execute()
}
