import { sql } from 'kysely'
import type { Db } from '#server/platform/database/db.ts'

/** What still leads to a mail. One that was sent only says that its account awaited the letter (behaviour.md 4.6). */
const IS_WAITING = sql<boolean>`reminders.stage <> 'sent'`

/** A person has one reminder of a revelation, or none. */
export interface ReminderKey {
  revelationId: string
  userId: string
}

/** Which of the two mails of a reminder comes next, and when. */
export interface NextMail {
  stage: 'day_before' | 'instant'
  dueAt: Date
}

/** Locks the account until the transaction ends: reminders that it requests at the same time are counted one by one. */
export async function lockAccount(
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

/** When it opens; nobody moves the date until the transaction ends. */
export async function lockRevealAt(db: Db, revelationId: string): Promise<Date | undefined> {
  const row = await db
    .selectFrom('revelations')
    .select('revealAt')
    .where('id', '=', revelationId)
    .forShare()
    .executeTakeFirst()
  return row?.revealAt
}

export async function hasReminder(db: Db, key: ReminderKey): Promise<boolean> {
  return (await findStage(db, key)) !== undefined
}

/** Which mail comes next; undefined without a reminder. */
export async function findStage(
  db: Db,
  { revelationId, userId }: ReminderKey,
): Promise<NextMail['stage'] | undefined> {
  const row = await db
    .selectFrom('reminders')
    .select('stage')
    .where('revelationId', '=', revelationId)
    .where('userId', '=', userId)
    .where(IS_WAITING)
    .executeTakeFirst()
  return row?.stage as NextMail['stage'] | undefined
}

export async function countReminders(db: Db, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('reminders')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('userId', '=', userId)
    .where(IS_WAITING)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Changes nothing when there is one already. */
export async function insertReminder(
  db: Db,
  reminder: ReminderKey & NextMail & { createdAt: Date },
): Promise<void> {
  await db
    .insertInto('reminders')
    .values(reminder)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function deleteReminder(db: Db, { revelationId, userId }: ReminderKey): Promise<void> {
  await db
    .deleteFrom('reminders')
    .where('revelationId', '=', revelationId)
    .where('userId', '=', userId)
    .execute()
}

export async function updateReminders(db: Db, revelationId: string, next: NextMail): Promise<void> {
  await db.updateTable('reminders').set(next).where('revelationId', '=', revelationId).execute()
}

/** A reminder of what is hidden from its reader waits until the revelation is restored. */
export async function listDueReminders(db: Db, now: Date, limit: number): Promise<ReminderKey[]> {
  return db
    .selectFrom('reminders')
    .innerJoin('revelations', 'revelations.id', 'reminders.revelationId')
    .select(['reminders.revelationId', 'reminders.userId'])
    .where(IS_WAITING)
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

export type DueReminder = ReminderKey & Pick<NextMail, 'stage'>

/**
 * Claims those of them that are still due for this transaction. After the day before comes the instant, and after it no
 * mail. Once the revelation is open, only the instant is due.
 */
export async function claimDueReminders(
  db: Db,
  candidates: readonly ReminderKey[],
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
      where ${IS_WAITING} and due_at <= ${now} and (hidden_at is null or author_id = reminders.user_id)
      for update of reminders skip locked
    ), ended as (
      update reminders set stage = 'sent' from due
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
