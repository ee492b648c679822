import { sql } from 'kysely'
import type { Circle } from '#server/features/relationships/relationships.rules.ts'
import type { Db } from '#server/platform/database/db.ts'
import type { Tally } from './circle.rules.ts'

/** The authors of a circle’s deliveries. One that an operator hides is private meanwhile, and not counted. */
function authorsOf({ userId, family }: Circle): string[] {
  return [userId, ...family]
}

export interface MemberRow {
  id: string
  userId: string
  pseudo: string
  avatarUrl: string | null
  createdAt: Date
}

export async function listFamily(db: Db, userId: string): Promise<MemberRow[]> {
  const { rows } = await sql<MemberRow>`
    select family.id, user_id, pseudo, avatar_url, family.created_at
    from (
      select id, high_user_id as other_id, created_at from relationships
        where low_user_id = ${userId} and type = 'family'
      union all
      select id, low_user_id, created_at from relationships
        where high_user_id = ${userId} and type = 'family'
    ) as family
    cross join lateral (
      select id as user_id, pseudo, avatar_url from users where users.id = other_id limit 1
    ) as person
    where not exists (
      select from blocks where (blocker_id, blocked_id) in ((${userId}, other_id), (other_id, ${userId}))
    )`.execute(db)
  return rows
}

/** Deliveries by author and month of their sealing; `months` are the first instants of each, in order. */
export async function tallyDeliveries(
  db: Db,
  circle: Circle,
  months: readonly Date[],
  now: Date,
): Promise<(Tally & { revealed: number })[]> {
  const { rows } = await sql<Tally & { revealed: number }>`
    select author_id, width_bucket(created_at, ${months}::timestamptz[]) as place,
      count(*)::integer as count, (count(*) filter (where reveal_at <= ${now}))::integer as revealed
    from revelations
    where visibility = 'family' and author_id = any(${authorsOf(circle)}::uuid[])
    group by 1, 2`.execute(db)
  return rows
}

/**
 * Reactions and comments under the deliveries, by month: without the comments operators hid, and without those whom a
 * block hides from the viewer or from the author of the delivery (the viewer’s own stay). Looked up delivery by delivery
 * (`offset 0`): the tables are far larger than any circle.
 */
export async function tallyInteractions(
  db: Db,
  circle: Circle,
  months: readonly Date[],
): Promise<Pick<Tally, 'place' | 'count'>[]> {
  const { userId, blocked } = circle
  const authors = authorsOf(circle)
  const { rows } = await sql<Pick<Tally, 'place' | 'count'>>`
    with deliveries as materialized (
      select id, author_id from revelations
      where visibility = 'family' and author_id = any(${authors}::uuid[])
    ), unseen as materialized (
      select blocker_id as sight, blocked_id as writer from blocks
        where blocker_id = any(${authors}::uuid[]) and blocked_id <> ${userId}
      union
      select blocked_id, blocker_id from blocks
        where blocked_id = any(${authors}::uuid[]) and blocker_id <> ${userId}
    ), words as (
      select deliveries.author_id, word.author_id as writer, word.created_at
      from deliveries cross join lateral (
        select reactions.author_id, reactions.created_at from reactions
        where reactions.revelation_id = deliveries.id offset 0
      ) as word
      union all
      select deliveries.author_id, word.author_id, word.created_at
      from deliveries cross join lateral (
        select comments.author_id, comments.created_at from comments
        where comments.revelation_id = deliveries.id and comments.hidden_at is null offset 0
      ) as word
    )
    select width_bucket(created_at, ${months}::timestamptz[]) as place, count(*)::integer as count
    from words
    where writer <> all(${blocked}::uuid[])
      and not exists (select from unseen where sight = author_id and unseen.writer = words.writer)
    group by 1`.execute(db)
  return rows
}

/** How many deliveries open in each of these months, which are given by their first instants and the end of the last one. */
export async function tallyReveals(
  db: Db,
  circle: Circle,
  bounds: readonly Date[],
  now: Date,
): Promise<{ place: number; sealed: number; opened: number }[]> {
  const { rows } = await sql<{ place: number; sealed: number; opened: number }>`
    select width_bucket(reveal_at, ${bounds}::timestamptz[]) as place,
      (count(*) filter (where reveal_at > ${now}))::integer as sealed,
      (count(*) filter (where reveal_at <= ${now}))::integer as opened
    from revelations
    where visibility = 'family' and author_id = any(${authorsOf(circle)}::uuid[])
      and reveal_at >= ${bounds[0]} and reveal_at < ${bounds.at(-1)}
    group by 1`.execute(db)
  return rows
}

export interface RevealRow {
  id: string
  title: string
  authorId: string
  authorPseudo: string
  revealAt: Date
  timeZone: string
}

/** Deliveries that open from one instant until before another, in no order; of many, the nearest to now. */
export async function listDeliveriesOpening(
  db: Db,
  circle: Circle,
  { from, to, now, limit }: { from: Date; to: Date; now: Date; limit: number },
): Promise<RevealRow[]> {
  const { rows } = await sql<RevealRow>`
    select revelations.id, title, author_id, author_pseudo, reveal_at, time_zone
    from revelations cross join lateral (
      select pseudo as author_pseudo from users where users.id = author_id limit 1
    ) as person
    where visibility = 'family' and author_id = any(${authorsOf(circle)}::uuid[])
      and reveal_at >= ${from} and reveal_at < ${to}
    order by abs(extract(epoch from reveal_at - ${now}::timestamptz)), revelations.id
    limit ${limit}`.execute(db)
  return rows
}

export async function countDeliveriesToCome(db: Db, circle: Circle, now: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from revelations
    where visibility = 'family' and author_id = any(${authorsOf(circle)}::uuid[]) and reveal_at > ${now}`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}
