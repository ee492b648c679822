import { sql } from 'kysely'
import type { Db } from '#server/platform/database/db.ts'

/** A counted try: its window, and its number in it. */
export interface CountedTry {
  subject: Buffer
  number: number
  endsAt: Date
}

/**
 * Counts one more try, in one statement: simultaneous ones get a number each, and no more than allowed. With none left,
 * answers when the window ends.
 */
export async function countTry(
  db: Db,
  { subject, most, now, endsAt }: { subject: Buffer; most: number; now: Date; endsAt: Date },
): Promise<CountedTry | { refusedUntil: Date }> {
  const { rows } = await sql<{ number: number | null; endsAt: Date }>`
    with counted as (
      insert into password_tries as known (subject, tries, ends_at) values (${subject}, 1, ${endsAt})
      on conflict (subject) do update set
        tries = case when known.ends_at > ${now} then known.tries + 1 else 1 end,
        ends_at = case when known.ends_at > ${now} then known.ends_at else excluded.ends_at end
      where known.ends_at <= ${now} or known.tries < ${most}
      returning tries, ends_at
    )
    select tries as number, ends_at from counted
    union all
    select null, ends_at from password_tries
    where subject = ${subject} and not exists (select from counted)`.execute(db)
  const [row] = rows
  if (typeof row?.number !== 'number') return { refusedUntil: row?.endsAt ?? endsAt }
  return { subject, number: row.number, endsAt: row.endsAt }
}

/** Takes a try out of its window, unless the window ended or was deleted. */
export async function uncountTry(db: Db, { subject, endsAt }: CountedTry): Promise<void> {
  await db
    .updateTable('passwordTries')
    .set({ tries: sql<number>`greatest(tries - 1, 0)` })
    .where('subject', '=', subject)
    .where('endsAt', '=', endsAt)
    .execute()
}

/** Deletes the tries of this subject and of each known network of this person. */
export async function deleteTriesOf(db: Db, subject: Buffer, userId: string): Promise<void> {
  await db
    .deleteFrom('passwordTries')
    .where((where) =>
      where.or([
        where('subject', '=', subject),
        where(
          'subject',
          'in',
          where.selectFrom('signInNetworks').select('network').where('userId', '=', userId),
        ),
      ]),
    )
    .execute()
}

export async function deleteEndedTries(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('passwordTries').where('endsAt', '<=', now).execute()
}

export async function hasNetwork(db: Db, network: Buffer, since: Date): Promise<boolean> {
  const row = await db
    .selectFrom('signInNetworks')
    .select('network')
    .where('network', '=', network)
    .where('seenAt', '>', since)
    .executeTakeFirst()
  return row !== undefined
}

/** Stores a network of a person and deletes all but the last seen; the account must be locked. */
export async function upsertNetwork(
  db: Db,
  row: { network: Buffer; userId: string; seenAt: Date },
  { most }: { most: number },
): Promise<void> {
  await db
    .insertInto('signInNetworks')
    .values(row)
    .onConflict((conflict) => conflict.column('network').doUpdateSet({ seenAt: row.seenAt }))
    .execute()
  await db
    .deleteFrom('signInNetworks')
    .where('userId', '=', row.userId)
    .where('network', 'not in', (where) =>
      where
        .selectFrom('signInNetworks')
        .select('network')
        .where('userId', '=', row.userId)
        .orderBy('seenAt', 'desc')
        .limit(most),
    )
    .execute()
}

export async function deleteNetworksSeenBefore(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('signInNetworks').where('seenAt', '<', before).execute()
}
