import { sql } from 'kysely'
import { LIVING_SAVES } from '#server/features/access/saved-letters.repository.ts'
import { type Db, PREPARED } from '#server/platform/database/db.ts'

interface Opening {
  revelationId: string
  userId: string
  openedAt: Date
}

/** Records the opening of an account; returns its first instant, which never changes. */
export async function insertOpening(db: Db, opening: Opening): Promise<Date> {
  const { userId, revelationId } = opening
  await db
    .insertInto('openings')
    .values(opening)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { openedAt } = await db
    .selectFrom('openings')
    .select('openedAt')
    .where('userId', '=', userId)
    .where('revelationId', '=', revelationId)
    .executeTakeFirstOrThrow()
  return openedAt
}

/** What one account has to do with the opening of a letter. */
export interface OwnOpening {
  revelationId: string
  /** By itself, or as the addressee of a personal link. */
  openedAt: Date | null
  /** It asked to be reminded of the instant. */
  isAwaited: boolean
}

/** Of these revelations, those that this account opened or awaited. */
export async function listOpeningsBy(
  db: Db,
  { userId, verifiedEmailKey }: { userId: string; verifiedEmailKey: string | null },
  revelationIds: readonly string[],
): Promise<OwnOpening[]> {
  const { rows } = await sql<OwnOpening>`
    select revelation_id, min(opened_at) as opened_at, bool_or(is_awaited) as is_awaited from (
      select revelation_id, opened_at, false as is_awaited from openings
      where user_id = ${userId} and revelation_id = any(${revelationIds}::uuid[])
      union all
      select revelation_id, seal_broken_at, false from deliveries
      where revelation_id = any(${revelationIds}::uuid[]) and seal_broken_at is not null
        and address_key = ${verifiedEmailKey}
      union all
      select revelation_id, seal_broken_at, false from ${LIVING_SAVES} as saved
      where user_id = ${userId} and revelation_id = any(${revelationIds}::uuid[]) and seal_broken_at is not null
        and not exists (
          select from deliveries
          where address_key = ${verifiedEmailKey} and deliveries.revelation_id = saved.revelation_id
        )
      union all
      select revelation_id, null, true from reminders
      where user_id = ${userId} and revelation_id = any(${revelationIds}::uuid[])
    ) as own group by revelation_id ${PREPARED}`.execute(db)
  return rows
}
