import { type RawBuilder, sql } from 'kysely'
import type { NotificationKind } from '#contract/notifications.ts'
import { DEFAULT_TIME_ZONE } from '#contract/sealing.ts'
import { aboutRevelation, insertNotifications } from './notification-rows.ts'

/** When the mail of a day leaves: nobody is at work, and nobody asleep. */
const DIGEST_HOUR = 18

/**
 * The last parts of a statement that inserts (`added`) and counts (`counted`) a comment or reaction: the news of the author
 * (`told`), and the mail of the day. They depend on `counted`, so that the revelation is locked first, as a deletion locks
 * it; and where a mail is due already, that part only reads.
 */
export function noteActivity(
  kind: NotificationKind & ('comment' | 'reaction'),
): RawBuilder<unknown> {
  const local = sql`(added.created_at at time zone ${DEFAULT_TIME_ZONE}::text)`
  const source = sql`
    select author_id as user_id, ${kind}::text as kind, ${aboutRevelation(sql`id`)}, at from news`
  return sql`news as (
    select counted.id, counted.author_id, added.created_at as at,
      (date_trunc('day', ${local}) + make_interval(hours => ${DIGEST_HOUR}::integer)
        + case when extract(hour from ${local}) >= ${DIGEST_HOUR}::integer then interval '1 day' else interval '0' end
      ) at time zone ${DEFAULT_TIME_ZONE}::text as due_at
    from counted join added on added.revelation_id = counted.id
    where added.author_id <> counted.author_id and not exists (
      select from blocks
      where (blocker_id, blocked_id) in ((added.author_id, counted.author_id), (counted.author_id, added.author_id))
    )
  ), told as (${insertNotifications(source, 'grouped')}), noted as (
    insert into daily_digests (user_id, counted_from, due_at)
    select author_id, at, due_at from news
    where not exists (
      select from daily_digests as waiting
      where waiting.user_id = news.author_id and waiting.due_at is not null and waiting.counted_from <= news.at
    )
    on conflict (user_id) do update set
      counted_from = least(daily_digests.counted_from, excluded.counted_from),
      due_at = coalesce(daily_digests.due_at, excluded.due_at)
  )`
}
