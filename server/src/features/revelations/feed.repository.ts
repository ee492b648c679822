import { type RawBuilder, sql } from 'kysely'
import type { EnvelopeRow } from '#server/features/access/envelopes.rules.ts'
import type { Relation } from '#server/features/relationships/relationships.rules.ts'
import { createStatement, type Db, PREPARED } from '#server/platform/database/db.ts'
import { shelfCounts } from './counts.repository.ts'
import { firstOfShelves, preparedPage, selectPage } from './lists.repository.ts'
import type { ListCursor, ListFilter, ListPage, ListViewer } from './lists.rules.ts'

/** What one person sees of the feed besides what everybody sees. */
interface Beyond {
  viewer: ListViewer
  /** The first rows that friends and family show them, and their own. */
  rows: EnvelopeRow[]
  found: number
  revealed: number
  /** Which of the ids the person did anything about that shows on them. */
  actedOn: string[]
}

interface Values {
  userId: string
  ids: readonly string[]
  now: Date
  category: ListFilter['category']
  afterValue: ListCursor['value'] | undefined
  afterId: string | undefined
  untilValue: ListCursor['value'] | undefined
  untilId: string | undefined
}

interface Facts {
  friends: string[]
  family: string[]
  blocked: string[]
  shelvesFound: number
  shelvesRevealed: number
  actedOn: string[]
}
type Row = Facts & Omit<EnvelopeRow, 'id'> & { id: string | null }
type Statement = (db: Db, values: Values) => Promise<Row[]>

/** By every option that changes the statement; few of the many sizes of pages are requested. */
const statements = new Map<string, Statement>()
const MAX_STATEMENTS = 100

/** Reads it in one query: it is what every page of somebody signed in costs. */
export async function readBeyondPublic(
  db: Db,
  filter: Omit<ListFilter, 'viewer' | 'authorId' | 'scope'>,
  page: ListPage,
  reader: { userId: string; ids: readonly string[] },
): Promise<Beyond> {
  const rows = await statementFor(filter, page)(db, {
    ...reader,
    now: filter.now,
    category: filter.category,
    afterValue: page.after?.value,
    afterId: page.after?.id,
    untilValue: page.until?.value,
    untilId: page.until?.id,
  })
  const [facts] = rows
  if (!facts) throw new Error('A query that always answers did not')
  const { friends, family, blocked } = facts
  return {
    viewer: { userId: reader.userId, friends, family, blocked },
    rows: rows.filter((row): row is Facts & EnvelopeRow => row.id !== null),
    found: facts.shelvesFound,
    revealed: facts.shelvesRevealed,
    actedOn: facts.actedOn,
  }
}

type Narrowing = Pick<ListFilter, 'status' | 'category' | 'kind'>

function statementFor(
  { status, category, kind }: Narrowing,
  { sort, after, until, limit }: ListPage,
): Statement {
  const isGiven = [category, after, until].map((value) => value !== undefined).join()
  const key = `${status} ${isGiven} ${kind} ${sort} ${limit}`
  const known = statements.get(key)
  if (known) return known
  if (statements.size >= MAX_STATEMENTS) statements.clear()
  const statement = createStatement<Values, Row>((db, values) => {
    const filter: ListFilter = {
      viewer: { userId: null, friends: [], family: [], blocked: [] },
      now: values.now,
      scope: 'all',
      status,
      category: category && values.category,
      kind,
      authorId: undefined,
    }
    // Slots of the statement: of whichever type the order has.
    const from = after && { value: values.afterValue as Date, id: values.afterId as string }
    const upTo = until && { value: values.untilValue as Date, id: values.untilId as string }
    return select(db, filter, { sort, after: from, until: upTo, limit }, values)
  })
  statements.set(key, statement)
  return statement
}

/** Which of these revelations somebody left a reaction or a vote under, joined, opened, or asked to be reminded of. */
function actedOn(userId: string, ids: readonly string[]): RawBuilder<object> {
  return sql`
    select revelation_id::text from reactions
    where author_id = ${userId} and revelation_id = any(${ids}::uuid[])
    union
    select revelation_id::text from prediction_votes
    where voter_id = ${userId} and revelation_id = any(${ids}::uuid[])
    union
    select revelation_id::text from saved_letters
    where user_id = ${userId} and revelation_id = any(${ids}::uuid[])
    union
    select revelation_id::text from openings
    where user_id = ${userId} and revelation_id = any(${ids}::uuid[])
    union
    select revelation_id::text from reminders
    where user_id = ${userId} and revelation_id = any(${ids}::uuid[])`
}

interface Standing {
  tie: Relation | null
  hasActed: boolean
}

const selectStanding = createStatement(
  (db, { userId, authorId, ids }: { userId: string; authorId: string; ids: string[] }) => {
    const query = sql<Standing>`
      select (
        select 'blocked' from blocks where (blocker_id, blocked_id)
          in ((${userId}, ${authorId}), (${authorId}, ${userId}))
        union all
        select type from relationships
        where low_user_id = least(${userId}::uuid, ${authorId}::uuid)
          and high_user_id = greatest(${userId}::uuid, ${authorId}::uuid)
        limit 1
      ) as tie, exists (${actedOn(userId, ids)}) as has_acted ${PREPARED}`
    return { compile: () => query.compile(db) }
  },
)

/** How somebody stands to the author of a revelation, and whether they did anything that shows on it for them. */
export async function readStanding(
  db: Db,
  { userId, authorId, id }: { userId: string; authorId: string; id: string },
): Promise<Standing> {
  const [standing] = await selectStanding(db, { userId, authorId, ids: [id] })
  if (!standing) throw new Error('A query that always answers did not')
  return standing
}

function select(db: Db, filter: ListFilter, page: ListPage, { userId, ids }: Values) {
  const shelf = sql<object>`shelf`
  const first = selectPage(db, firstOfShelves(filter, shelf, page), page)
  const query = sql<Row>`
    with hidden as materialized (
      select blocked_id as id from blocks where blocker_id = ${userId}
      union all
      select blocker_id from blocks where blocked_id = ${userId}
    ), tied as materialized (
      select high_user_id as id, type from relationships where low_user_id = ${userId}
      union all
      select low_user_id, type from relationships where high_user_id = ${userId}
    ), shelf as materialized (
      select ${userId}::uuid as of_author, unnest(array['friends', 'private']) as shown_to
      union all
      select id, 'friends' from tied where id not in (select id from hidden)
    ), facts as materialized (
      select array(select id::text from tied where type = 'friend') as friends,
        array(select id::text from tied where type = 'family') as family,
        array(select id::text from hidden) as blocked,
        array(${actedOn(userId, ids)}) as acted_on,
        coalesce(sum(found), 0)::bigint as shelves_found,
        coalesce(sum(revealed), 0)::bigint as shelves_revealed
      from (${shelfCounts(filter, shelf, 1)}) as shelves
    )
    select facts.*, page.* from facts left join ${first} as page on true ${preparedPage(page)}`
  return { compile: () => query.compile(db) }
}
