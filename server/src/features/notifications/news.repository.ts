import { sql } from 'kysely'
import type { NotificationKind } from '#contract/notifications.ts'
import type { RelationshipType } from '#contract/relationships.ts'
import type { Db } from '#server/platform/database/db.ts'
import {
  aboutRevelation,
  insertNotifications,
} from '#server/platform/database/notification-rows.ts'
import { type PageOfPeople, relatedTo } from './notifications.repository.ts'

/** Something that happened to an account, by what it is about: plain ids, and nothing of their content. */
export interface News {
  userId: string
  kind: NotificationKind
  revelationId?: string
  commentId?: string
  replyId?: string
  requestId?: string
  relationshipId?: string
  deliveryId?: string
  isRestored?: boolean
}

/** Inserts these for the accounts that are still there; returns those whose page they are on. */
export async function insertNews(
  db: Db,
  news: readonly News[],
  { way, at }: { way: 'grouped' | 'once'; at: Date },
): Promise<string[]> {
  const source = sql`
    select account.id as user_id, kind,
      coalesce("commentId", "replyId", "requestId", "relationshipId", "deliveryId", "revelationId", account.id) as subject_id,
      "revelationId", "commentId", "replyId", "requestId", "relationshipId", "deliveryId",
      coalesce("isRestored", false) as is_restored, ${at}::timestamptz as at
    from jsonb_to_recordset(${JSON.stringify(news)}::jsonb) as one (
      "userId" uuid, kind text, "revelationId" uuid, "commentId" uuid, "replyId" uuid, "requestId" uuid,
      "relationshipId" uuid, "deliveryId" uuid, "isRestored" boolean
    ) join users as account on account.id = "userId"
    for key share of account`
  const { rows } = await insertNotifications(source, way).execute(db)
  return listedOf(rows)
}

function listedOf(rows: readonly { userId: string; isListed: boolean }[]): string[] {
  return rows.filter(({ isListed }) => isListed).map(({ userId }) => userId)
}

/** Of each of these revelations as they opened, the news of its recipients, and of its author unless it is to oneself. */
export async function insertRevealNews(
  db: Db,
  revelationIds: readonly string[],
  at: Date,
): Promise<string[]> {
  const source = sql`
    select account.id as user_id,
      case when is_recipient then 'letter_waiting' else 'revealed' end as kind,
      ${aboutRevelation(sql`revelations.id`)}, ${at}::timestamptz as at
    from revelations
    cross join lateral (
      select author_id as id
      union select users.id from deliveries join users on email_key = address_key
      where revelation_id = revelations.id
    ) as person
    join users as account on account.id = person.id
    cross join lateral (
      select email_verified_at is not null and exists (
        select from deliveries where address_key = email_key and revelation_id = revelations.id
      ) as is_recipient
    ) as reading
    where revelations.id = any(${revelationIds}::uuid[]) and revelations.hidden_at is null
      and (is_recipient or account.id = author_id)
    order by reveal_at
    for key share of account`
  const { rows } = await insertNotifications(source, 'once').execute(db)
  return listedOf(rows)
}

/** The accounts with these verified addresses that a revelation was announced to, where they may know of it. */
export async function insertAnnouncements(
  db: Db,
  deliveryIds: readonly string[],
  at: Date,
): Promise<string[]> {
  const source = sql`
    select account.id as user_id, 'letter_announced' as kind,
      ${aboutRevelation(sql`revelations.id`)}, ${at}::timestamptz as at
    from deliveries join revelations on revelations.id = revelation_id
    join users as account
      on email_key = address_key and email_verified_at is not null and account.id <> author_id
    where deliveries.id = any(${deliveryIds}::uuid[]) and revelations.hidden_at is null and visibility <> 'private'
    for key share of account`
  const { rows } = await insertNotifications(source, 'once').execute(db)
  return listedOf(rows)
}

/** The account that proved this address, as long as the letter is for it. */
export async function findAddressedAccount(
  db: Db,
  { revelationId, addressKey }: { revelationId: string; addressKey: string },
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select users.id from users join deliveries on address_key = email_key
    where email_key = ${addressKey} and email_verified_at is not null and revelation_id = ${revelationId}`.execute(
    db,
  )
  return rows[0]?.id
}

/** They are pushed again as long as they are unread: what held their pushes back is over. */
export async function setPushDueAgain(db: Db, revelationId: string): Promise<void> {
  await db
    .updateTable('notifications')
    .set({ isPushDue: true })
    .where('revelationId', '=', revelationId)
    .where('kind', 'in', ['letter_waiting', 'revealed'])
    .where((where) => where.or([where('readAt', 'is', null), where('isListed', '=', false)]))
    .execute()
}

/** The next people related to an author in the order of their ids, but those whose own letter it is. */
export async function listRelatedTo(
  db: Db,
  { id, authorId }: { id: string; authorId: string },
  { types, relatedBefore }: { types: readonly RelationshipType[]; relatedBefore: Date },
  page: PageOfPeople,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select related.id
    from ${relatedTo(authorId, page)} as related join users on users.id = related.id
    where related.type = any(${types}) and related.created_at <= ${relatedBefore}
      and not exists (
        select from deliveries
        where revelation_id = ${id} and address_key = email_key and email_verified_at is not null
      )
    order by related.id limit ${page.limit}`.execute(db)
  return rows.map((row) => row.id)
}

/** Deletes the oldest of those from before `before`; returns how many. */
export async function deleteNotificationsBefore(
  db: Db,
  before: Date,
  limit: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from notifications where id in (
      select id from notifications where created_at < ${before} order by created_at limit ${limit}
    )`.execute(db)
  return Number(numAffectedRows ?? 0)
}
