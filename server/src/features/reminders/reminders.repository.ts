import { sql } from 'kysely'
import type { Db } from '#server/platform/database/db.ts'
import type { NextReminder } from './reminders.rules.ts'

interface Whose {
  revelationId: string
  userId: string
}

/** Whoever asks, locked until the transaction ends: two at once count each other. */
export async function lockAsker(
  db: Db,
  userId: string,
): Promise<{ isVerified: boolean } | undefined> {
  const row = await db
    .selectFrom('users')
    .select('emailVerifiedAt')
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row && { isVerified: row.emailVerifiedAt !== null }
}

/** When it opens, unmoved until the transaction ends. */
export async function holdRevealAt(db: Db, revelationId: string): Promise<Date | undefined> {
  const row = await db
    .selectFrom('revelations')
    .select('revealAt')
    .where('id', '=', revelationId)
    .forShare()
    .executeTakeFirst()
  return row?.revealAt
}

export async function findReminder(db: Db, whose: Whose): Promise<boolean> {
  return (await findStage(db, whose)) !== undefined
}

/** Which of its mails comes next; undefined when none does. */
export async function findStage(
  db: Db,
  { revelationId, userId }: Whose,
): Promise<NextReminder['stage'] | undefined> {
  const row = await db
    .selectFrom('reminders')
    .select('stage')
    .where('revelationId', '=', revelationId)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return row?.stage as NextReminder['stage'] | undefined
}

export async function countReminders(db: Db, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('reminders')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** One that is there already stays as it is. */
export async function insertReminder(
  db: Db,
  reminder: Whose & NextReminder & { createdAt: Date },
): Promise<void> {
  await db
    .insertInto('reminders')
    .values(reminder)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function deleteReminder(db: Db, { revelationId, userId }: Whose): Promise<void> {
  await db
    .deleteFrom('reminders')
    .where('revelationId', '=', revelationId)
    .where('userId', '=', userId)
    .execute()
}

export async function moveRemindersOf(
  db: Db,
  revelationId: string,
  next: NextReminder,
): Promise<void> {
  await db.updateTable('reminders').set(next).where('revelationId', '=', revelationId).execute()
}

/** What is hidden from whoever asked waits until it is restored. */
export async function listDueReminders(db: Db, now: Date, limit: number): Promise<Whose[]> {
  return db
    .selectFrom('reminders')
    .innerJoin('revelations', 'revelations.id', 'reminders.revelationId')
    .select(['reminders.revelationId', 'reminders.userId'])
    .where('reminders.dueAt', '<=', now)
    .where((where) =>
      where.or([
        where('revelations.hiddenAt', 'is', null),
        where('revelations.authorId', '=', where.ref('reminders.userId')),
      ]),
    )
    .orderBy('reminders.dueAt')
    .limit(limit)
    .execute()
}

export type DueReminder = Whose & Pick<NextReminder, 'stage'>

/**
 * Those that are still due, in the hands of this transaction alone; the day before makes room for the instant, and the
 * instant for nothing. Once it is open, the day before is past: only the instant is told.
 */
export async function takeDueReminders(
  db: Db,
  candidates: readonly Whose[],
  now: Date,
): Promise<DueReminder[]> {
  const { rows } = await sql<DueReminder>`
    with due as materialized (
      select reminders.revelation_id, reminders.user_id,
        case when reveal_at <= ${now} then 'instant' else stage end as stage
      from reminders join revelations on revelations.id = reminders.revelation_id
      join unnest(
        ${candidates.map(({ revelationId }) => revelationId)}::uuid[],
        ${candidates.map(({ userId }) => userId)}::uuid[]
      ) as candidate (revelation_id, user_id)
        on candidate.revelation_id = reminders.revelation_id and candidate.user_id = reminders.user_id
      where due_at <= ${now} and (hidden_at is null or author_id = reminders.user_id)
      for update of reminders skip locked
    ), ended as (
      delete from reminders using due
      where reminders.revelation_id = due.revelation_id and reminders.user_id = due.user_id
        and due.stage = 'instant'
    ), advanced as (
      update reminders set stage = 'instant', due_at = revelations.reveal_at
      from due join revelations on revelations.id = due.revelation_id
      where reminders.revelation_id = due.revelation_id and reminders.user_id = due.user_id
        and due.stage = 'day_before'
    )
    select revelation_id, user_id, stage from due`.execute(db)
  return rows
}
