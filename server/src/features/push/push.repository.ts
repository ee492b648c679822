import { sql } from 'kysely'
import type { NotificationKind } from '#contract/notifications.ts'
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

export async function hasDueNotification(db: Db): Promise<boolean> {
  const { rows } = await sql`select from notifications where is_push_due limit 1`.execute(db)
  return rows.length > 0
}

/**
 * Claims notifications that browsers are to show, and inserts a push for each of these browsers: no browser gets a second one.
 * Whoever has a reminder of a letter is reminded of it instead. Returns how many were claimed, and the new pushes.
 */
export async function claimDueNotifications(
  db: Db,
  now: Date,
  limit: number,
): Promise<{ count: number; pushIds: string[] }> {
  const { rows: due } = await sql<{ id: string }>`
    update notifications set is_push_due = false
    where id in (
      select id from notifications where is_push_due order by created_at limit ${limit} for update skip locked
    )
    returning id`.execute(db)
  const ids = due.map(({ id }) => id)
  const { rows } = await sql<{ id: string }>`
    insert into pushes (subscription_id, notification_id, created_at)
    select push_subscriptions.id, notification.id, ${now}
    from notifications as notification
    join sessions on sessions.user_id = notification.user_id and sessions.expires_at > ${now}
    join push_subscriptions on push_subscriptions.session_id = sessions.id
    where notification.id = any(${ids}::uuid[])
      and (kind not in ('letter_waiting', 'revealed') or not exists (
        select from reminders
        where reminders.revelation_id = notification.revelation_id and reminders.user_id = notification.user_id
      ))
    on conflict do nothing
    returning id`.execute(db)
  return { count: ids.length, pushIds: rows.map(({ id }) => id) }
}

/** A trial for the browser of this session; undefined where it has not subscribed. */
export async function insertTrialPush(
  db: Db,
  sessionId: string,
  now: Date,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    insert into pushes (subscription_id, created_at)
    select id, ${now} from push_subscriptions where session_id = ${sessionId} returning id`.execute(
    db,
  )
  return rows[0]?.id
}

/** Inserts a push for each browser of those who have a reminder; returns the ids of the new ones. */
export async function insertReminderPushes(
  db: Db,
  reminders: readonly { revelationId: string; userId: string }[],
  now: Date,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into pushes (subscription_id, revelation_id, created_at)
    select push_subscriptions.id, reminder.revelation_id, ${now}
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
  createdAt: Date
  sealed: string
  userId: string
  verifiedEmailKey: string | null
  /** Of a reminder. */
  revelationId: string | null
  /** Of anything else but a trial. */
  notificationId: string | null
  notificationKind: NotificationKind | null
  /** Of the letter, if it is about one. */
  revealAt: Date | null
}

/** A push that was not sent yet, as long as its session is active. */
export async function findQueuedPush(
  db: Db,
  id: string,
  now: Date,
): Promise<QueuedPush | undefined> {
  const row = await db
    .selectFrom('pushes')
    .innerJoin('pushSubscriptions', 'pushSubscriptions.id', 'pushes.subscriptionId')
    .innerJoin('sessions', 'sessions.id', 'pushSubscriptions.sessionId')
    .innerJoin('users', 'users.id', 'sessions.userId')
    .leftJoin('notifications', 'notifications.id', 'pushes.notificationId')
    .leftJoin('revelations', (join) =>
      join.on(
        'revelations.id',
        '=',
        sql`coalesce(pushes.revelation_id, notifications.revelation_id)`,
      ),
    )
    .select(['pushes.id', 'subscriptionId', 'pushes.createdAt', 'sealed'])
    .select(['pushes.revelationId', 'notificationId', 'notifications.kind as notificationKind'])
    .select(['revealAt', 'sessions.userId'])
    .select(
      sql<string | null>`case when email_verified_at is null then null else email_key end`.as(
        'verifiedEmailKey',
      ),
    )
    .where('pushes.id', '=', id)
    .where('sentAt', 'is', null)
    .where('sessions.expiresAt', '>', now)
    .executeTakeFirst()
  return row as QueuedPush | undefined
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
