import { type RawBuilder, sql } from 'kysely'
import { PUSHED_AT_FIRST } from '#contract/notifications.ts'

/** What a `source` has, in this order, and the instant `at` last. */
const COLUMNS = sql`user_id, kind, subject_id, revelation_id, comment_id, reply_id, request_id, relationship_id,
  delivery_id, is_restored`

/** Of a `source` that is about a revelation and nothing narrower: all but whose it is, and its kind. */
export function aboutRevelation(id: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`${id} as subject_id, ${id} as revelation_id, null::uuid as comment_id, null::uuid as reply_id,
    null::uuid as request_id, null::uuid as relationship_id, null::uuid as delivery_id, false as is_restored`
}

/**
 * Inserts what a query finds as news of accounts, unless they switched the kind off. `grouped`: joins what is unread of the
 * same kind about the same subject; `once`: what an account was told before is not told again, read or not. Whoever has
 * browsers that want the kind is pushed once for each row, not for what joins it. Where they want it alone nothing is ever
 * unread to be joined: what many can leave, again and again, then comes once an hour for each letter.
 */
export function insertNotifications(
  source: RawBuilder<unknown>,
  way: 'grouped' | 'once',
): RawBuilder<{ userId: string; isListed: boolean }> {
  const conflict =
    way === 'once'
      ? sql`do nothing`
      : sql`(user_id, kind, subject_id) where read_at is null do update set
          created_at = greatest(notifications.created_at, excluded.created_at), is_restored = excluded.is_restored`
  return sql`
    insert into notifications (${COLUMNS}, started_at, created_at, read_at, is_listed, is_push_due)
    select source.*, source.at, case when not chosen.page then source.at end, chosen.page, chosen.push
    from (${source}) as source
    left join notification_switches as choice on choice.user_id = source.user_id and choice.kind = source.kind
    cross join lateral (
      select coalesce(choice.page, true) as page,
        coalesce(choice.push, source.kind = any(${PUSHED_AT_FIRST}::text[])) and exists (
          select from sessions join push_subscriptions on push_subscriptions.session_id = sessions.id
          where sessions.user_id = source.user_id
        ) as push
    ) as chosen
    where chosen.page or (chosen.push and not exists (
      select from notifications as latest
      where source.kind in ('comment', 'reaction') and latest.revelation_id = source.subject_id
        and latest.kind = source.kind and latest.user_id = source.user_id and not latest.is_listed
        and latest.created_at > source.at - interval '1 hour'
    ))
    on conflict ${conflict}
    returning user_id, is_listed`
}
