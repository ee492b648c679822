import { sql } from 'kysely'
import type { Db } from '#server/platform/database/db.ts'

interface NewSubscription {
  sessionId: string
  endpointHash: Buffer
  sealed: string
  createdAt: Date
}

/**
 * Replaces the subscription of this session, and that of this browser under another session: pushes go to whoever is
 * signed in now. The same subscription again changes nothing.
 */
export async function replaceSubscription(db: Db, subscription: NewSubscription): Promise<void> {
  const { sessionId, endpointHash } = subscription
  await sql`
    delete from push_subscriptions
    where (session_id = ${sessionId}) <> (endpoint_hash = ${endpointHash})`.execute(db)
  await db
    .insertInto('pushSubscriptions')
    .values(subscription)
    .onConflict((conflict) =>
      conflict.column('endpointHash').doUpdateSet({ sealed: subscription.sealed }),
    )
    .execute()
}

export async function hasSubscription(db: Db, sessionId: string): Promise<boolean> {
  const row = await db
    .selectFrom('pushSubscriptions')
    .select('id')
    .where('sessionId', '=', sessionId)
    .executeTakeFirst()
  return row !== undefined
}

export async function deleteSubscription(
  db: Db,
  which: { sessionId: string } | { id: string },
): Promise<void> {
  const query = db.deleteFrom('pushSubscriptions')
  await ('id' in which
    ? query.where('id', '=', which.id)
    : query.where('sessionId', '=', which.sessionId)
  ).execute()
}

/** Whether any browser has subscribed. */
export async function hasAnySubscription(db: Db): Promise<boolean> {
  const row = await db.selectFrom('pushSubscriptions').select('id').limit(1).executeTakeFirst()
  return row !== undefined
}

/**
 * Inserts a push per revelation and browser of its author, its recipients and those related to the author by the
 * instant, unless their preferences are against it. Returns the ids of the new ones: no browser gets a second one.
 */
export async function insertRevealPushes(
  db: Db,
  revelationIds: readonly string[],
  now: Date,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into pushes (subscription_id, revelation_id, is_reminder, created_at)
    select push_subscriptions.id, revelation.id, false, ${now}
    from revelations as revelation
    cross join lateral (
      select revelation.author_id as id
      union select id from users
        where email_verified_at is not null
          and email_key in (revelation.target_email_key, revelation.second_email_key)
      union select high_user_id from relationships
        where low_user_id = revelation.author_id and created_at <= revelation.reveal_at
          and revelation.visibility <> 'private'
      union select low_user_id from relationships
        where high_user_id = revelation.author_id and created_at <= revelation.reveal_at
          and revelation.visibility <> 'private'
    ) as person
    join sessions on sessions.user_id = person.id and sessions.expires_at > ${now}
    join push_subscriptions on push_subscriptions.session_id = sessions.id
    left join notification_preferences as preference on preference.user_id = person.id
    where revelation.id = any(${revelationIds}::uuid[]) and revelation.hidden_at is null
      and coalesce(preference.revelation_revealed, true)
    on conflict do nothing
    returning id`.execute(db)
  return rows.map(({ id }) => id)
}

/** The same for those who have a reminder. */
export async function insertReminderPushes(
  db: Db,
  reminders: readonly { revelationId: string; userId: string }[],
  now: Date,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into pushes (subscription_id, revelation_id, is_reminder, created_at)
    select push_subscriptions.id, reminder.revelation_id, true, ${now}
    from unnest(
      ${reminders.map(({ revelationId }) => revelationId)}::uuid[],
      ${reminders.map(({ userId }) => userId)}::uuid[]
    ) as reminder (revelation_id, user_id)
    join sessions on sessions.user_id = reminder.user_id and sessions.expires_at > ${now}
    join push_subscriptions on push_subscriptions.session_id = sessions.id
    on conflict do nothing
    returning id`.execute(db)
  return rows.map(({ id }) => id)
}

export interface QueuedPush {
  id: string
  subscriptionId: string
  revelationId: string
  isReminder: boolean
  createdAt: Date
  revealAt: Date
  sealed: string
  userId: string
  verifiedEmailKey: string | null
}

/** A push that was not sent yet, as long as its session is active. */
export async function findQueuedPush(
  db: Db,
  id: string,
  now: Date,
): Promise<QueuedPush | undefined> {
  return db
    .selectFrom('pushes')
    .innerJoin('pushSubscriptions', 'pushSubscriptions.id', 'pushes.subscriptionId')
    .innerJoin('sessions', 'sessions.id', 'pushSubscriptions.sessionId')
    .innerJoin('users', 'users.id', 'sessions.userId')
    .innerJoin('revelations', 'revelations.id', 'pushes.revelationId')
    .select(['pushes.id', 'subscriptionId', 'revelationId', 'isReminder', 'pushes.createdAt'])
    .select(['revealAt', 'sealed', 'sessions.userId'])
    .select(
      sql<string | null>`case when email_verified_at is null then null else email_key end`.as(
        'verifiedEmailKey',
      ),
    )
    .where('pushes.id', '=', id)
    .where('sentAt', 'is', null)
    .where('sessions.expiresAt', '>', now)
    .executeTakeFirst()
}

export async function setPushSent(db: Db, id: string, sentAt: Date): Promise<void> {
  await db.updateTable('pushes').set({ sentAt }).where('id', '=', id).execute()
}

export async function deletePush(db: Db, id: string): Promise<void> {
  await db.deleteFrom('pushes').where('id', '=', id).execute()
}

/** Deletes the oldest of those created before `before`; returns how many. */
export async function deletePushesBefore(db: Db, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from pushes where id in (
      select id from pushes where created_at < ${before} order by created_at limit ${limit}
    )`.execute(db)
  return Number(numAffectedRows ?? 0)
}
