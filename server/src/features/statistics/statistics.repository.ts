import { type RawBuilder, sql } from 'kysely'
import type { Figures, LetterOrder, LetterSort } from '#contract/statistics.ts'
import type { Month } from '#contract/zoned-time.ts'
import type { Db } from '#server/platform/database/db.ts'
import type { Tally } from './statistics.rules.ts'

/** Whose letters, and whose words and reactions under them do not count: the author's own, and what a block hides. */
export interface CountedLetters {
  authorId: string
  hidden: readonly string[]
  /** In order. What happened has the place of its month among them from 1 on, 0 before all. */
  months: readonly Month[]
}

/**
 * The letters of an author and what happened to each. An opening is one that the journal says (`opened_at`): a quiet one is as
 * none. A view has a UTC day and no hour: it counts in the month of that day. Looked up letter by letter (`offset 0`): the tables are
 * far larger than what one person wrote.
 */
function lettersAndEvents({ authorId, hidden, months }: CountedLetters): RawBuilder<unknown> {
  const days = months.map(({ month }) => `${month}-01`)
  const starts = months.map(({ startsAt }) => startsAt)
  const place = (at: string) => sql`width_bucket(${sql.ref(at)}, ${starts}::timestamptz[])`
  return sql`
    letters as materialized (
      select id, title, title_form, created_at, reveal_at, time_zone, views_count from revelations
      where author_id = ${authorId}
    ), events as (
      select id, 'views' as measure, width_bucket(day, ${days}::date[]) as place, views as count, day
      from letters cross join lateral (
        select day, views from view_days where revelation_id = letters.id offset 0
      ) as event
      union all
      select id, 'openings', ${place('opened_at')}, 1, null from letters cross join lateral (
        select opened_at from deliveries where revelation_id = letters.id and opened_at is not null offset 0
      ) as event
      union all
      select id, 'replies', ${place('at')}, 1, null from letters cross join lateral (
        select replies.created_at as at from replies
        where revelation_id = letters.id and hidden_at is null offset 0
      ) as event
      union all
      select id, 'comments', ${place('at')}, 1, null from letters cross join lateral (
        select comments.created_at as at from comments
        where revelation_id = letters.id and hidden_at is null and author_id <> all(${hidden}::uuid[]) offset 0
      ) as event
      union all
      select id, 'reactions', ${place('at')}, 1, null from letters cross join lateral (
        select reactions.created_at as at from reactions
        where revelation_id = letters.id and author_id <> all(${hidden}::uuid[]) offset 0
      ) as event
    )`
}

/** The first day is that of views alone. */
type DatedTally = Tally & { firstDay: string | null }

export interface Span {
  letters: number
  firstLetterAt: Date | null
  /** Of all time. */
  views: number
}

export async function findSpan(db: Db, authorId: string): Promise<Span> {
  return db
    .selectFrom('revelations')
    .select([
      sql<number>`count(*)::integer`.as('letters'),
      sql<Date | null>`min(created_at)`.as('firstLetterAt'),
      sql<number>`coalesce(sum(views_count), 0)::integer`.as('views'),
    ])
    .where('authorId', '=', authorId)
    .executeTakeFirstOrThrow()
}

/** What happened, by measure and month. */
export async function tallyByMonth(db: Db, counted: CountedLetters): Promise<DatedTally[]> {
  const { rows } = await sql<DatedTally>`
    with ${lettersAndEvents(counted)}
    select measure, place, sum(count)::integer as count, min(day)::text as first_day
    from events group by 1, 2`.execute(db)
  return rows
}

export interface LetterRow extends Figures {
  id: string
  title: string
  revealAt: Date
  timeZone: string
  /** Of all letters. */
  total: number
}

const SORTED_BY: Record<LetterSort, RawBuilder<unknown>> = {
  title: sql`title_form`,
  date: sql`reveal_at`,
  views: sql`views`,
  openings: sql`openings`,
  responses: sql`responses`,
}

interface LetterPage {
  /** All that ever happened counts, and the views that have no day. */
  isOfAllTime: boolean
  sort: LetterSort
  order: LetterOrder
  limit: number
  offset: number
}

/** The letters with their figures; equal ones the soonest revealed first. */
export async function listLetterRows(
  db: Db,
  counted: CountedLetters,
  { isOfAllTime, sort, order, limit, offset }: LetterPage,
): Promise<LetterRow[]> {
  const { rows } = await sql<LetterRow>`
    with ${lettersAndEvents(counted)}, tallied as (
      select id,
        coalesce(sum(count) filter (where measure = 'views'), 0)::integer as views,
        coalesce(sum(count) filter (where measure = 'openings'), 0)::integer as openings,
        coalesce(sum(count) filter (where measure = 'replies'), 0)::integer as replies,
        coalesce(sum(count) filter (where measure = 'comments'), 0)::integer as comments,
        coalesce(sum(count) filter (where measure = 'reactions'), 0)::integer as reactions
      from events where ${isOfAllTime}::boolean or place > 0 group by id
    ), figures as (
      select letters.id, title, title_form, reveal_at, time_zone,
        case when ${isOfAllTime}::boolean then views_count else coalesce(views, 0) end as views,
        coalesce(openings, 0) as openings, coalesce(replies, 0) as replies,
        coalesce(comments, 0) as comments, coalesce(reactions, 0) as reactions,
        coalesce(replies + comments + reactions, 0) as responses
      from letters left join tallied on tallied.id = letters.id
    )
    select id, title, reveal_at, time_zone, views, openings, replies, comments, reactions,
      (count(*) over ())::integer as total
    from figures
    order by ${SORTED_BY[sort]} ${order === 'asc' ? sql`asc` : sql`desc`}, reveal_at, id
    limit ${limit} offset ${offset}`.execute(db)
  return rows
}
