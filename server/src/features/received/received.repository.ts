import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ReceivedState } from '#contract/received.ts'
import { VISIBILITIES } from '#contract/revelations.ts'
import { listEnvelopesById } from '#server/features/access/envelopes.repository.ts'
import type { EnvelopeRow } from '#server/features/access/envelopes.rules.ts'
import {
  DISCLOSED_OPENING,
  LIVING_SAVES,
} from '#server/features/access/saved-letters.repository.ts'
import type { ViewerAccount } from '#server/features/access/viewers.service.ts'
import { type Db, literalPattern } from '#server/platform/database/db.ts'

/** A place in the list, as its cursor remembers it. */
export interface ReceivedPlace {
  state: ReceivedState
  /** What the letters of that state are in order of. */
  at: Date
  id: string
}

export interface ReceivedRow extends ReceivedPlace {
  /** When it was announced, or sealed by this very account; of an open one, its instant. */
  since: Date
}

export interface ReceivedPage {
  rows: ReceivedRow[]
  counts: Record<ReceivedState, number>
}

interface Criteria {
  now: Date
  state: ReceivedState | undefined
  /** In the title or the pseudo of the author. */
  phrase: string | undefined
  after: ReceivedPlace | undefined
  limit: number
}

const COLUMNS = sql`revelations.id, author_id, title_form, visibility, reveal_at, hidden_at, created_at`

/**
 * The letters that an account is the addressee of, by its verified address, else by a link it joined; each once. Without a
 * verified address the first part finds nothing.
 */
function addressedTo({ userId, verifiedEmailKey }: ViewerAccount): RawBuilder<object> {
  return sql`
    select ${COLUMNS}, mine.delivery_id, mine.is_handed from (
      select revelation_id, id as delivery_id, false as is_handed from deliveries where address_key = ${verifiedEmailKey}
      union all
      select revelation_id, delivery_id, is_handed from ${LIVING_SAVES} as saved
      where user_id = ${userId} and not exists (
        select from deliveries
        where address_key = ${verifiedEmailKey} and deliveries.revelation_id = saved.revelation_id
      )
    ) as mine
    cross join lateral (select * from revelations where id = mine.revelation_id limit 1) as revelations`
}

/** The same with when they were opened, by the account or as the addressee of a link; of deliveries one row each, by its key. */
function received({ userId, verifiedEmailKey }: ViewerAccount): RawBuilder<object> {
  return sql`
    select mine.*, delivery.notified_at, least(own.opened_at, delivery.seal_broken_at) as opened_at
    from (${addressedTo({ userId, verifiedEmailKey })}) as mine
    cross join lateral (
      select notified_at, case when mine.is_handed then (
        select ${DISCLOSED_OPENING} from handed_links as handed where handed.delivery_id = deliveries.id
      ) else seal_broken_at end as seal_broken_at
      from deliveries where id = mine.delivery_id limit 1
    ) as delivery
    left join (select revelation_id, opened_at from openings where user_id = ${userId}) as own
      on own.revelation_id = mine.id`
}

/** What stands in the list, and in which state: the gate asks the same of each row before it is shown. */
function inStates(account: ViewerAccount, now: Date): RawBuilder<object> {
  const { userId } = account
  return sql`
    select *, case state when 'opened' then opened_at else reveal_at end as at,
      case when state = 'upcoming' then coalesce(notified_at, created_at) else reveal_at end as since
    from (
      select *, case
        when author_id <> ${userId} and hidden_at is not null then null
        when reveal_at <= ${now} then case when opened_at is null then 'waiting' else 'opened' end
        when author_id = ${userId} then 'upcoming'
        when notified_at is not null and visibility <> 'private' then 'upcoming'
      end as state
      from (${received(account)}) as received
    ) as stated
    where state is not null`
}

/** Waiting ones first, the latest to open before the others; the soonest of those to come; the last opened. */
function orderOf(place: { state: RawBuilder<unknown>; at: RawBuilder<unknown> }) {
  return [
    sql`array_position(array['waiting', 'upcoming', 'opened'], ${place.state})`,
    sql`case ${place.state} when 'upcoming' then 1 else -1 end * extract(epoch from ${place.at})`,
  ]
}

/** A page of what an account received, and how much there is of each state, whatever is searched. */
export async function listReceivedRows(
  db: Db,
  account: ViewerAccount,
  { now, state, phrase, after, limit }: Criteria,
): Promise<ReceivedPage> {
  const order = sql.join([...orderOf({ state: sql`state`, at: sql`at` }), sql`id`])
  const conditions: RawBuilder<SqlBool>[] = [sql`true`]
  if (state) conditions.push(sql`state = ${state}`)
  if (phrase) conditions.push(hasPhrase(phrase))
  if (after) {
    const place = orderOf({ state: sql`${after.state}::text`, at: sql`${after.at}::timestamptz` })
    conditions.push(sql`(${order}) > (${sql.join([...place, sql`${after.id}::uuid`])})`)
  }
  const { rows } = await sql<
    ReceivedPage['counts'] & { [name in keyof ReceivedRow]: ReceivedRow[name] | null }
  >`
    with listed as materialized (${inStates(account, now)}), page as (
      select id, state, at, since from listed where ${sql.join(conditions, sql` and `)}
      order by ${order} limit ${limit}
    )
    select counts.*, page.* from (
      select count(*) filter (where state = 'waiting') as waiting,
        count(*) filter (where state = 'upcoming') as upcoming,
        count(*) filter (where state = 'opened') as opened
      from listed
    ) as counts left join page on true order by ${order}`.execute(db)
  const { waiting = 0, upcoming = 0, opened = 0 } = rows[0] ?? {}
  return {
    rows: rows.filter((row): row is (typeof rows)[number] & ReceivedRow => row.id !== null),
    counts: { waiting, upcoming, opened },
  }
}

function hasPhrase(phrase: string): RawBuilder<SqlBool> {
  return sql`(title_form like '%' || ${literalPattern(phrase)} || '%' or (
    select search_form(pseudo) like '%' || ${literalPattern(phrase)} || '%' from users where users.id = author_id
  ))`
}

/** The envelopes of these letters, in the order of the ids. */
export async function listEnvelopesInOrder(db: Db, ids: readonly string[]): Promise<EnvelopeRow[]> {
  const envelopes = await listEnvelopesById(db, ids)
  const byId = new Map(envelopes.map((envelope) => [envelope.id, envelope]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** From one instant to before the next. */
export interface Span {
  from: Date
  until: Date
}

export interface AnniversaryRow {
  id: string
  side: 'sent' | 'received'
  /** When it opened, or was opened. */
  at: Date
}

/** What opened within these spans of what an account sent, else what it opened of what it received; each once, the latest first. */
export async function listOpenedWithin(
  db: Db,
  account: ViewerAccount,
  spans: readonly Span[],
  limit: number,
): Promise<AnniversaryRow[]> {
  const ordered = spans.toSorted((one, other) => one.from.getTime() - other.from.getTime())
  const starts = sql`${ordered.map(({ from }) => from)}::timestamptz[]`
  const ends = sql`${ordered.map(({ until }) => until)}::timestamptz[]`
  const { rows } = await sql<AnniversaryRow>`
    select id, side, at from (
      select distinct on (id) id, side, at from (
        (select sent.id, 'sent' as side, sent.reveal_at as at
        from unnest(${[...VISIBILITIES]}::text[]) as shelf (shown_to) cross join unnest(${starts}, ${ends}) as span (starts_at, ends_at)
        cross join lateral (
          select id, reveal_at from revelations
          where author_id = ${account.userId} and visibility = shown_to
            and reveal_at >= starts_at and reveal_at < ends_at
          order by reveal_at desc limit ${limit}
        ) as sent)
        union all
        (select id, 'received', opened_at from (${received(account)}) as received
        where opened_at < (${ends})[width_bucket(opened_at, ${starts})]
          and (hidden_at is null or author_id = ${account.userId}))
      ) as opened order by id, side desc
    ) as once
    order by at desc, id limit ${limit}`.execute(db)
  return rows
}
