import { sql } from 'kysely'
import type { RelationshipType } from '#contract/relationships.ts'
import type { Visibility } from '#contract/revelations.ts'
import type { Db } from '#server/platform/database/db.ts'

/** The revelations of these deliveries that anybody related to their author could be mailed about. */
export async function listNotifiable(db: Db, deliveryIds: readonly string[]): Promise<string[]> {
  if (deliveryIds.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    select id from revelations
    where id in (select revelation_id from deliveries where id = any(${deliveryIds}::uuid[]))
      and visibility <> 'private'
      and (exists (select from relationships where low_user_id = author_id)
        or exists (select from relationships where high_user_id = author_id))`.execute(db)
  return rows.map(({ id }) => id)
}

/** What decides who is mailed about a revelation. */
export interface NotifiableRevelation {
  id: string
  authorId: string
  visibility: Visibility
  hiddenAt: Date | null
  revealAt: Date
  createdAt: Date
}

export async function findNotifiable(
  db: Db,
  id: string,
): Promise<NotifiableRevelation | undefined> {
  const row = await db
    .selectFrom('revelations')
    .select(['id', 'authorId', 'visibility', 'hiddenAt', 'revealAt', 'createdAt'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row && { ...row, visibility: row.visibility as Visibility }
}

/** Waits until nobody else queues mails about this author, to the end of the transaction. */
export async function lockNotificationsOf(db: Db, authorId: string): Promise<void> {
  const name = `tell/${authorId}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(db)
}

export interface ReaderCriteria {
  template: string
  preference: 'newRevelations' | 'revelationRevealed'
  types: readonly RelationshipType[]
  /** Whoever became related to the author later gets no mail. */
  relatedBefore: Date
  /** Whoever got such a mail about anything of this author since then gets none; null: whenever. */
  quietSince: Date | null
  /** False where its recipients have a mail of their own. */
  includesRecipients: boolean
}

/**
 * The next readers of a revelation in the order of their ids: related to its author, with a verified address, who want
 * such mails and have none about it yet. Whoever has a reminder of it gets that mail instead.
 */
export async function listReaders(
  db: Db,
  { id, authorId }: NotifiableRevelation,
  criteria: ReaderCriteria,
  page: { after: string; limit: number },
): Promise<string[]> {
  const { template, preference, types, relatedBefore, quietSince, includesRecipients } = criteria
  const { rows } = await sql<{ id: string }>`
    select related.id
    from (
      select high_user_id as id, type, created_at from relationships
        where low_user_id = ${authorId} and high_user_id > ${page.after}
      union all
      select low_user_id, type, created_at from relationships
        where high_user_id = ${authorId} and low_user_id > ${page.after}
    ) as related
    join users on users.id = related.id
    left join notification_preferences as preference on preference.user_id = related.id
    where related.type = any(${types}) and related.created_at <= ${relatedBefore}
      and users.email_verified_at is not null
      and coalesce(preference.email_notifications, true)
      and coalesce(${sql.ref(`preference.${preference}`)}, true)
      and (${includesRecipients} or not exists (
        select from revelations where id = ${id} and email_key in (target_email_key, second_email_key)
      ))
      and not exists (
        select from reminders where revelation_id = ${id} and user_id = related.id
      )
      and not exists (
        select from mails
        where recipient_id = related.id and template in (${template}, 'reminder-instant')
          and (subject_id = ${id} or (sender_id = ${authorId} and mails.created_at > ${quietSince}))
      )
    order by related.id
    limit ${page.limit}`.execute(db)
  return rows.map((row) => row.id)
}

/** Others left something under a revelation, and its author has no mail about it yet. */
export interface DueDigest {
  revelationId: string
  authorId: string
}

export async function listDueDigests(db: Db, now: Date, limit: number): Promise<DueDigest[]> {
  return db
    .selectFrom('activityDigests')
    .innerJoin('revelations', 'revelations.id', 'activityDigests.revelationId')
    .select(['activityDigests.revelationId', 'revelations.authorId'])
    .where('activityDigests.dueAt', '<=', now)
    .orderBy('activityDigests.dueAt')
    .limit(limit)
    .execute()
}

/** Those of them that are still due: they are not due again until something else happens. */
export async function claimDueDigests(
  db: Db,
  revelationIds: readonly string[],
  now: Date,
): Promise<string[]> {
  const { rows } = await sql<{ revelationId: string }>`
    update activity_digests set due_at = null, last_sent_at = ${now}
    where revelation_id in (
      select revelation_id from activity_digests
      where revelation_id = any(${revelationIds}::uuid[]) and due_at <= ${now}
      for update skip locked
    )
    returning revelation_id`.execute(db)
  return rows.map(({ revelationId }) => revelationId)
}

export async function findActivityStart(db: Db, revelationId: string): Promise<Date | undefined> {
  const row = await db
    .selectFrom('activityDigests')
    .select('countedFrom')
    .where('revelationId', '=', revelationId)
    .executeTakeFirst()
  return row?.countedFrom
}

/** What happened before is in a mail already. */
export async function setActivityStart(
  db: Db,
  revelationId: string,
  countedFrom: Date,
): Promise<void> {
  await db
    .updateTable('activityDigests')
    .set({ countedFrom })
    .where('revelationId', '=', revelationId)
    .where('countedFrom', '<', countedFrom)
    .execute()
}

/** How many, of how many people, and the names of some of them, the latest first. */
export interface Activity {
  count: number
  people: number
  pseudos: string[]
}

interface Span {
  revelationId: string
  from: Date
  until: Date
  /** The author, and those whom a block hides from them: what they left is not counted. */
  without: readonly string[]
}

const NAMES_MAX = 3

export async function sumComments(db: Db, span: Span): Promise<Activity> {
  return sum(db, 'comments', sql`and hidden_at is null`, span)
}

export async function sumReactions(db: Db, span: Span): Promise<Activity> {
  return sum(db, 'reactions', sql``, span)
}

async function sum(
  db: Db,
  table: 'comments' | 'reactions',
  condition: ReturnType<typeof sql>,
  { revelationId, from, until, without }: Span,
): Promise<Activity> {
  const { rows } = await sql<Activity>`
    with recent as (
      select author_id, created_at from ${sql.table(table)}
      where revelation_id = ${revelationId} and created_at >= ${from} and created_at < ${until}
        and author_id <> all(${without}::uuid[]) ${condition}
    )
    select count(*)::integer, count(distinct author_id)::integer as people, array(
      select pseudo from (
        select author_id, max(created_at) as last_at from recent group by author_id
        order by last_at desc, author_id limit ${NAMES_MAX}
      ) as latest join users on users.id = author_id
      order by last_at desc, author_id
    ) as pseudos
    from recent`.execute(db)
  return rows[0] ?? { count: 0, people: 0, pseudos: [] }
}

export interface ReaderRow {
  userId: string
  pseudo: string
  email: string
  emailKey: string
  isVerified: boolean
}

export async function findReader(db: Db, id: string): Promise<ReaderRow | undefined> {
  return db
    .selectFrom('users')
    .select(['id as userId', 'pseudo', 'email', 'emailKey'])
    .select((select) =>
      select('emailVerifiedAt', 'is not', null).$castTo<boolean>().as('isVerified'),
    )
    .where('id', '=', id)
    .executeTakeFirst()
}

/**
 * No transaction can delete these accounts until this one ends. They are locked before what depends on them, as a
 * deletion locks them: in the other order the two could wait for each other.
 */
export async function lockAccounts(db: Db, userIds: readonly string[]): Promise<void> {
  await sql`
    select from users where id = any(${userIds}::uuid[]) order by id for key share`.execute(db)
}
