import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Circle } from '#server/features/relationships/relationships.rules.ts'
import type { Db } from '#server/platform/database/database.ts'
import { type SoundRow, selectSounds } from './sounds.repository.ts'

/** `canViewVoice`, as indexes answer it. */
function isKnownTo({ userId, family, friends }: Circle): RawBuilder<SqlBool> {
  return sql`(author_id = ${userId}
    or (is_shared and author_id = any(${family}::uuid[]))
    or (recipient_id = ${userId} and author_id = any(${[...family, ...friends]}::uuid[])))`
}

/** Where a page ends. */
export interface SoundPlace {
  createdAt: Date
  id: string
}

/** The newest first; a deep page costs as much as the first. */
export async function listKnownSounds(
  db: Db,
  circle: Circle,
  { after, limit }: { after: SoundPlace | undefined; limit: number },
): Promise<SoundRow[]> {
  const page = sql`(
    select * from sounds where ${isKnownTo(circle)}
      and ${after ? sql`(created_at, id) < (${after.createdAt}, ${after.id})` : sql`true`}
    order by created_at desc, id desc limit ${limit})`
  // In the place of the table: joined to it by their ids, the rows of a page would be looked for among all.
  const shadowed = db.with('sounds', () => page as never) as unknown as Db
  return selectSounds(shadowed, circle.userId)
    .orderBy('sounds.createdAt', 'desc')
    .orderBy('sounds.id', 'desc')
    .execute()
}

/** All that a person shared, the oldest first. */
export async function listSoundsBy(
  db: Db,
  authorId: string,
  after: SoundPlace | undefined,
  limit: number,
): Promise<SoundRow[]> {
  return selectSounds(db, authorId)
    .where('sounds.authorId', '=', authorId)
    .$if(after !== undefined, (query) =>
      query.where(
        sql<SqlBool>`(sounds.created_at, sounds.id) > (${after?.createdAt}, ${after?.id})`,
      ),
    )
    .orderBy('sounds.createdAt')
    .orderBy('sounds.id')
    .limit(limit)
    .execute()
}

export interface SoundSums {
  sounds: number
  durationMs: number
  favorites: number
  plays: number
}

/** Of all a person may know of; what is sealed adds neither its length nor anything else of its file. */
export async function sumKnownSounds(db: Db, circle: Circle, now: Date): Promise<SoundSums> {
  const { rows } = await sql<SoundSums>`
    select count(*)::integer as sounds,
      coalesce(sum(duration_ms) filter (where reveal_at <= ${now}), 0)::bigint as duration_ms,
      coalesce(sum(plays_count) filter (where reveal_at <= ${now}), 0)::bigint as plays,
      count(favorite.sound_id)::integer as favorites
    from sounds
    left join sound_favorites as favorite
      on favorite.sound_id = sounds.id and favorite.user_id = ${circle.userId}
    where ${isKnownTo(circle)}`.execute(db)
  return rows[0] ?? { sounds: 0, durationMs: 0, favorites: 0, plays: 0 }
}

export interface SoundReveal {
  id: string
  title: string
  authorId: string
  authorPseudo: string
  revealAt: Date
  timeZone: string
}

/** The scheduled ones that open from one instant until before another, in no order; of many, the nearest to now. */
export async function listKnownReveals(
  db: Db,
  circle: Circle,
  { from, to, now, limit }: { from: Date; to: Date; now: Date; limit: number },
): Promise<SoundReveal[]> {
  const { rows } = await sql<SoundReveal>`
    select sounds.id, title, author_id, pseudo as author_pseudo, reveal_at, time_zone
    from sounds join users on users.id = author_id
    where scheduled_at is not null and reveal_at >= ${from} and reveal_at < ${to} and ${isKnownTo(circle)}
    order by abs(extract(epoch from reveal_at - ${now}::timestamptz)), sounds.id
    limit ${limit}`.execute(db)
  return rows
}

export async function countKnownUpcoming(db: Db, circle: Circle, now: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from sounds
    where reveal_at > ${now} and ${isKnownTo(circle)}`.execute(db)
  return rows[0]?.count ?? 0
}

export interface SoundTally {
  authorId: string
  place: number
  count: number
}

/** By author and month of sharing; `months` are the first instants of each, in order. */
export async function tallyKnownSounds(
  db: Db,
  circle: Circle,
  months: readonly Date[],
): Promise<SoundTally[]> {
  const { rows } = await sql<SoundTally>`
    select author_id, width_bucket(created_at, ${months}::timestamptz[]) as place, count(*)::integer as count
    from sounds where ${isKnownTo(circle)}
    group by 1, 2`.execute(db)
  return rows
}
