import { type RawBuilder, sql } from 'kysely'
import type { RelationshipType } from '#contract/relationships.ts'
import type { Visibility } from '#contract/revelations.ts'
import type { Db } from '#server/platform/database/db.ts'
import type { NotifiableRevelation } from './notifiable.rules.ts'

/** The revelations of these deliveries that anybody related to their author could be mailed about. */
export async function listNotifiable(db: Db, deliveryIds: readonly string[]): Promise<string[]> {
  if (deliveryIds.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    select id from revelations
    where id in (select revelation_id from deliveries where id = any(${deliveryIds}::uuid[]))
      and visibility <> 'private'
      and (exists (select from relationships where low_user_id = author_id)
        or exists (select from relationships where high_user_id = author_id))
    order by reveal_at`.execute(db)
  return rows.map(({ id }) => id)
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

/** A batch of people in the order of their ids. */
export interface PageOfPeople {
  after: string
  limit: number
}

/** The rows of a query: everybody related to this person, after a place. */
export function relatedTo(userId: string, { after }: PageOfPeople): RawBuilder<object> {
  return sql`(
    select high_user_id as id, type, created_at from relationships
      where low_user_id = ${userId} and high_user_id > ${after}
    union all
    select low_user_id, type, created_at from relationships
      where high_user_id = ${userId} and low_user_id > ${after}
  )`
}

/**
 * The next readers of a revelation in the order of their ids: related to its author, with a verified address, who want
 * such mails and have none about it yet. Whoever has a reminder of it gets that mail instead.
 */
export async function listReaders(
  db: Db,
  { id, authorId }: NotifiableRevelation,
  criteria: ReaderCriteria,
  page: PageOfPeople,
): Promise<string[]> {
  const { template, preference, types, relatedBefore, quietSince, includesRecipients } = criteria
  const { rows } = await sql<{ id: string }>`
    select related.id
    from ${relatedTo(authorId, page)} as related
    join users on users.id = related.id
    left join notification_preferences as preference on preference.user_id = related.id
    where related.type = any(${types}) and related.created_at <= ${relatedBefore}
      and users.email_verified_at is not null
      and coalesce(preference.email_notifications, true)
      and coalesce(${sql.ref(`preference.${preference}`)}, true)
      and (${includesRecipients} or not exists (
        select from deliveries where revelation_id = ${id} and address_key = email_key
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

/** The authors whose mail of the day is due. */
export async function listDueDigests(db: Db, now: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('dailyDigests')
    .select('userId')
    .where('dueAt', '<=', now)
    .orderBy('dueAt')
    .limit(limit)
    .execute()
  return rows.map(({ userId }) => userId)
}

/** Those of them that are still due: they are not due again until something else happens. */
export async function claimDueDigests(
  db: Db,
  userIds: readonly string[],
  now: Date,
): Promise<string[]> {
  const { rows } = await sql<{ userId: string }>`
    update daily_digests set due_at = null
    where user_id in (
      select user_id from daily_digests
      where user_id = any(${userIds}::uuid[]) and due_at <= ${now}
      for update skip locked
    )
    returning user_id`.execute(db)
  return rows.map(({ userId }) => userId)
}

export async function findActivityStart(db: Db, userId: string): Promise<Date | undefined> {
  const row = await db
    .selectFrom('dailyDigests')
    .select('countedFrom')
    .where('userId', '=', userId)
    .executeTakeFirst()
  return row?.countedFrom
}

/** What happened before is in a mail already. */
export async function setActivityStart(db: Db, userId: string, countedFrom: Date): Promise<void> {
  await db
    .updateTable('dailyDigests')
    .set({ countedFrom })
    .where('userId', '=', userId)
    .where('countedFrom', '<', countedFrom)
    .execute()
}

/** How many, of how many people, and the names of some of them, the latest first. */
export interface Activity {
  count: number
  people: number
  pseudos: string[]
}

/** What others left under one letter. */
export interface LetterActivity {
  revelationId: string
  comments: Activity
  reactions: Activity
}

interface Span {
  authorId: string
  from: Date
  until: Date
  /** The author, and those whom a block hides from them: what they left is not counted. */
  without: readonly string[]
  wantsComments: boolean
  wantsReactions: boolean
}

const NAMES_MAX = 3
const NO_ACTIVITY: Activity = { count: 0, people: 0, pseudos: [] }

/** By letter, those with the most first; without what operators hide. */
export async function sumActivity(
  db: Db,
  { authorId, from, until, without, wantsComments, wantsReactions }: Span,
): Promise<LetterActivity[]> {
  const { rows } = await sql<Activity & { revelationId: string; kind: 'comments' | 'reactions' }>`
    with acts as (
      select 'comments' as kind, revelation_id, comments.author_id, comments.created_at
      from revelations join comments on revelation_id = revelations.id
      where ${wantsComments} and revelations.author_id = ${authorId} and revelations.hidden_at is null
        and comments.hidden_at is null and comments.created_at >= ${from} and comments.created_at < ${until}
        and comments.author_id <> all(${without}::uuid[])
      union all
      select 'reactions', revelation_id, reactions.author_id, reactions.created_at
      from revelations join reactions on revelation_id = revelations.id
      where ${wantsReactions} and revelations.author_id = ${authorId} and revelations.hidden_at is null
        and reactions.created_at >= ${from} and reactions.created_at < ${until}
        and reactions.author_id <> all(${without}::uuid[])
    ), people as (
      select kind, revelation_id, author_id, count(*)::integer as count, max(created_at) as last_at
      from acts group by kind, revelation_id, author_id
    ), ranked as (
      select people.*, pseudo, row_number() over (
        partition by kind, revelation_id order by last_at desc, pseudo
      ) as place from people join users on users.id = author_id
    )
    select ranked.kind, revelation_id, sum(count)::integer as count, count(*)::integer as people,
      array_agg(pseudo::text order by place) filter (where place <= ${NAMES_MAX}) as pseudos
    from ranked join revelations on revelations.id = revelation_id
    group by ranked.kind, revelation_id, title
    order by sum(sum(count)) over (partition by revelation_id) desc, title, revelation_id`.execute(
    db,
  )
  const letters = Map.groupBy(rows, ({ revelationId }) => revelationId)
  return [...letters].map(([revelationId, sums]) => {
    const of = (kind: 'comments' | 'reactions') =>
      sums.find((sum) => sum.kind === kind) ?? NO_ACTIVITY
    return { revelationId, comments: of('comments'), reactions: of('reactions') }
  })
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
