import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'

/** A sound of which nobody was told yet, and whose accounts it is about. */
export interface DueSound {
  id: string
  authorId: string
  /** null once that account is gone. */
  recipientId: string | null
}

export async function listDueSounds(db: Db, now: Date, limit: number): Promise<DueSound[]> {
  return db
    .selectFrom('sounds')
    .select(['id', 'authorId', 'recipientId'])
    .where('toldAt', 'is', null)
    .where('revealAt', '<=', now)
    .orderBy('revealAt')
    .limit(limit)
    .execute()
}

/** Those that were still untold, in the hands of this transaction alone. */
export async function takeDueSounds(
  db: Db,
  ids: readonly string[],
  now: Date,
): Promise<DueSound[]> {
  const { rows } = await sql<DueSound>`
    update sounds set told_at = ${now}
    where id in (
      select id from sounds
      where id = any(${ids}::uuid[]) and told_at is null and reveal_at <= ${now}
      for update skip locked
    )
    returning id, author_id, recipient_id`.execute(db)
  return rows
}
