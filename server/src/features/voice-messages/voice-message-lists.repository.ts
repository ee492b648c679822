import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Circle } from '#server/features/relationships/relationships.rules.ts'
import type { Db } from '#server/platform/database/db.ts'
import { selectVoiceMessages, type VoiceMessageRow } from './voice-messages.repository.ts'

/** `canViewVoice`, as indexes answer it. */
function isVisibleTo({ userId, family, friends }: Circle): RawBuilder<SqlBool> {
  return sql`(author_id = ${userId}
    or (is_shared and author_id = any(${family}::uuid[]))
    or (recipient_id = ${userId} and author_id = any(${[...family, ...friends]}::uuid[])))`
}

/** The last voice message of a page. */
export interface VoiceMessageCursor {
  createdAt: Date
  id: string
}

/** The newest first; a deep page costs as much as the first. */
export async function listVisibleVoiceMessages(
  db: Db,
  circle: Circle,
  { after, limit }: { after: VoiceMessageCursor | undefined; limit: number },
): Promise<VoiceMessageRow[]> {
  const page = sql`(
    select * from sounds where ${isVisibleTo(circle)}
      and ${after ? sql`(created_at, id) < (${after.createdAt}, ${after.id})` : sql`true`}
    order by created_at desc, id desc limit ${limit})`
  // In the place of the table: a join by ids would search the rows of a page among all.
  const shadowed = db.with('sounds', () => page as never) as unknown as Db
  return selectVoiceMessages(shadowed, circle.userId)
    .orderBy('sounds.createdAt', 'desc')
    .orderBy('sounds.id', 'desc')
    .execute()
}

/** Voice messages of one author, the oldest first. */
export async function listVoiceMessagesBy(
  db: Db,
  authorId: string,
  after: VoiceMessageCursor | undefined,
  limit: number,
): Promise<VoiceMessageRow[]> {
  return selectVoiceMessages(db, authorId)
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

export interface VoiceMessageSums {
  voiceMessages: number
  durationMs: number
  favorites: number
  plays: number
}

/** Sums over all that a person may see; a sealed one adds neither its length nor its plays. */
export async function sumVisibleVoiceMessages(
  db: Db,
  circle: Circle,
  now: Date,
): Promise<VoiceMessageSums> {
  const { rows } = await sql<VoiceMessageSums>`
    select count(*)::integer as voice_messages,
      coalesce(sum(duration_ms) filter (where reveal_at <= ${now}), 0)::bigint as duration_ms,
      coalesce(sum(plays_count) filter (where reveal_at <= ${now}), 0)::bigint as plays,
      count(favorite.sound_id)::integer as favorites
    from sounds
    left join sound_favorites as favorite
      on favorite.sound_id = sounds.id and favorite.user_id = ${circle.userId}
    where ${isVisibleTo(circle)}`.execute(db)
  return rows[0] ?? { voiceMessages: 0, durationMs: 0, favorites: 0, plays: 0 }
}

export interface VoiceMessageReveal {
  id: string
  title: string
  authorId: string
  authorPseudo: string
  revealAt: Date
  timeZone: string
}

/** The scheduled ones that open from one instant until before another, in no order; of many, the nearest to now. */
export async function listVisibleReveals(
  db: Db,
  circle: Circle,
  { from, to, now, limit }: { from: Date; to: Date; now: Date; limit: number },
): Promise<VoiceMessageReveal[]> {
  const { rows } = await sql<VoiceMessageReveal>`
    select sounds.id, title, author_id, pseudo as author_pseudo, reveal_at, time_zone
    from sounds join users on users.id = author_id
    where scheduled_at is not null and reveal_at >= ${from} and reveal_at < ${to} and ${isVisibleTo(circle)}
    order by abs(extract(epoch from reveal_at - ${now}::timestamptz)), sounds.id
    limit ${limit}`.execute(db)
  return rows
}

export async function countVisibleUpcoming(db: Db, circle: Circle, now: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from sounds
    where reveal_at > ${now} and ${isVisibleTo(circle)}`.execute(db)
  return rows[0]?.count ?? 0
}

export interface VoiceMessageTally {
  authorId: string
  place: number
  count: number
}

/** By author and month of sharing; `months` are the first instants of each, in order. */
export async function tallyVisibleVoiceMessages(
  db: Db,
  circle: Circle,
  months: readonly Date[],
): Promise<VoiceMessageTally[]> {
  const { rows } = await sql<VoiceMessageTally>`
    select author_id, width_bucket(created_at, ${months}::timestamptz[]) as place, count(*)::integer as count
    from sounds where ${isVisibleTo(circle)}
    group by 1, 2`.execute(db)
  return rows
}
