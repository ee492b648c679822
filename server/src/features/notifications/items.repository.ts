import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { createStatement, type Db, PREPARED } from '#server/platform/database/db.ts'
import { CROWD_MAX, type ItemRow } from './items.rules.ts'

export interface Place {
  createdAt: Date
  id: string
}

interface Which {
  userId: string
  /** The account itself, and those whom a block hides: what they left is no news to it. */
  without: readonly string[]
}

const facts = ({ userId, without }: Which) => sql`
  item.id, item.kind, item.revelation_id, item.is_listed, item.started_at, item.created_at, item.read_at, item.is_restored,
  item.comment_id is not null as is_about_comment, item.reply_id is not null as is_about_reply,
  reply.address_key as reply_address_key, request.type as request_type,
  case
    when request.id is not null then request.sender_id
    when relationship.id is not null then
      case relationship.low_user_id when ${userId}::uuid then relationship.high_user_id else relationship.low_user_id end
    when reply.is_named then reply.writer_id
  end as person_id,
  case item.kind
    when 'comment' then exists (
      select from comments where comments.revelation_id = item.revelation_id and comments.created_at between item.started_at and item.created_at
        and comments.hidden_at is null and comments.author_id not in (select unnest(${without}::uuid[]))
    )
    when 'reaction' then exists (
      select from reactions where reactions.revelation_id = item.revelation_id and reactions.created_at between item.started_at and item.created_at
        and reactions.author_id not in (select unnest(${without}::uuid[]))
    )
    when 'reply' then reply.hidden_at is null
    when 'delivery_failed' then delivery.state = 'failed'
    when 'unopened' then exists (
      select from deliveries as silent join follow_ups on follow_ups.delivery_id = silent.id and author_notified_at is not null
      where silent.revelation_id = item.revelation_id and silent.state = 'sent' and silent.opened_at is null
        and silent.revoked_at is null
        and silent.address_key <> (select email_key from users where users.id = item.user_id)
        and not exists (
          select from replies where replies.delivery_id = silent.id and replies.address_key = silent.address_key
        )
    )
    else true
  end as is_true
  from notifications as item
  left join replies as reply on reply.id = item.reply_id
  left join relationship_requests as request on request.id = item.request_id
  left join relationships as relationship on relationship.id = item.relationship_id
  left join deliveries as delivery on delivery.id = item.delivery_id`

interface PageValues extends Which {
  limit: number
  afterAt: Date | undefined
  afterId: string | undefined
}

/** By whether only what was not read is listed, and whether from a place on. */
function statementOf(isUnread: boolean, isAfter: boolean) {
  return createStatement((_db, values: PageValues) => {
    const { userId, limit, afterAt, afterId } = values
    const conditions = [
      sql<SqlBool>`user_id = ${userId} and is_listed`,
      ...(isUnread ? [sql<SqlBool>`read_at is null`] : []),
      ...(isAfter ? [sql<SqlBool>`(created_at, id) < (${afterAt}, ${afterId})`] : []),
    ]
    return sql<ItemRow>`
      with found as materialized (
        select id from notifications where ${sql.join(conditions, sql` and `)}
        order by created_at desc, id desc limit ${limit}
      )
      select ${facts(values)}
      where item.id in (select id from found)
      order by item.created_at desc, item.id desc ${PREPARED}`
  })
}

const pages = { first: statementOf(false, false), next: statementOf(false, true) }
const unreadPages = { first: statementOf(true, false), next: statementOf(true, true) }

/** The latest first, after the place; `isUnread`: what was not read alone. A deep page costs as much as the first. */
export async function listItemRows(
  db: Db,
  { userId, without }: Which,
  page: { after: Place | undefined; limit: number; isUnread: boolean },
): Promise<ItemRow[]> {
  const { after, limit, isUnread } = page
  const { first, next } = isUnread ? unreadPages : pages
  const values = { userId, without, limit, afterAt: after?.createdAt, afterId: after?.id }
  return (after ? next : first)(db, values)
}

export async function findItemRow(db: Db, which: Which, id: string): Promise<ItemRow | undefined> {
  const { rows } = await sql<ItemRow>`
    select ${facts(which)} where item.id = ${id} and item.user_id = ${which.userId}`.execute(db)
  return rows[0]
}

/** How many people left something, at most `people` of them, and the latest. */
export interface Crowd {
  notificationId: string
  people: number
  latestId: string
}

type CrowdValues = Pick<Which, 'without'> & { ids: readonly string[] }

const selectCrowds = createStatement(
  (_db, { without, ids }: CrowdValues) => sql<Crowd>`
    select item.id as notification_id, count(*)::integer as people,
      (array_agg(crowd.author_id order by crowd.at desc, pseudo))[1] as latest_id
    from notifications as item
    cross join lateral (
      select author_id, max(at) as at from (
        select author_id, created_at as at from comments
        where item.kind = 'comment' and revelation_id = item.revelation_id and created_at between item.started_at and item.created_at
          and hidden_at is null and author_id not in (select unnest(${without}::uuid[]))
        union all
        select author_id, created_at from reactions
        where item.kind = 'reaction' and revelation_id = item.revelation_id and created_at between item.started_at and item.created_at
          and author_id not in (select unnest(${without}::uuid[]))
        order by at desc limit ${sql.lit(CROWD_MAX * 10)}
      ) as acts
      group by author_id order by 2 desc limit ${sql.lit(CROWD_MAX)}
    ) as crowd
    join users on users.id = crowd.author_id
    where item.id = any(${ids}::uuid[])
    group by item.id ${PREPARED}`,
)

/** Who commented or reacted, of each of these: counted no further than a page shows. */
export async function listCrowds(db: Db, values: CrowdValues): Promise<Crowd[]> {
  return values.ids.length === 0 ? [] : selectCrowds(db, values)
}

export interface PersonRow {
  id: string
  pseudo: string
  avatarUrl: string | null
}

const selectPeople = createStatement((db, { ids }: { ids: readonly string[] }) =>
  db
    .selectFrom('users')
    .select(['id', 'pseudo', 'avatarUrl'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .modifyEnd(PREPARED),
)

export async function listPeople(db: Db, ids: readonly string[]): Promise<PersonRow[]> {
  return ids.length === 0 ? [] : selectPeople(db, { ids })
}

/** What of an account’s own is read from now on. */
export type Reading = { ids: readonly string[] } | { revelationId: string } | { all: true }

function isMeant(reading: Reading): RawBuilder<SqlBool> {
  if ('ids' in reading) return sql`id = any(${reading.ids}::uuid[])`
  return 'revelationId' in reading ? sql`revelation_id = ${reading.revelationId}` : sql`true`
}

export async function setItemsRead(
  db: Db,
  userId: string,
  reading: Reading,
  readAt: Date,
): Promise<void> {
  await db
    .updateTable('notifications')
    .set({ readAt })
    .where('userId', '=', userId)
    .where('isListed', '=', true)
    .where('readAt', 'is', null)
    .where(isMeant(reading))
    .execute()
}
