import { sql } from 'kysely'

/**
 * The last part of a statement that inserts (`added`) and counts (`counted`) a comment or reaction. The author's mail
 * leaves two minutes later, so that a burst is one mail, or an hour after the last mail. It depends on `counted`, so
 * that the revelation is locked first, as a deletion locks it; and where a mail is due already, it only reads.
 */
export const scheduleActivityDigest = sql`noted as (
  insert into activity_digests (revelation_id, counted_from, due_at)
  select counted.id, added.created_at, added.created_at + interval '2 minutes'
  from counted join added on added.revelation_id = counted.id
  where added.author_id <> counted.author_id and not exists (
    select from activity_digests as waiting
    where waiting.revelation_id = counted.id and waiting.due_at is not null
      and waiting.counted_from <= added.created_at
  )
  on conflict (revelation_id) do update set
    counted_from = least(activity_digests.counted_from, excluded.counted_from),
    due_at = coalesce(
      activity_digests.due_at,
      greatest(excluded.due_at, activity_digests.last_sent_at + interval '1 hour')
    )
)`
