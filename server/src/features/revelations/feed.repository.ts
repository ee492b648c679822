import { type RawBuilder, sql } from 'kysely'
import { tieBetween } from '#server/features/access/envelopes.repository.ts'
import type { EnvelopeRow } from '#server/features/access/envelopes.rules.ts'
import type { ViewerAccount } from '#server/features/access/viewers.service.ts'
import type { Relation } from '#server/features/relationships/relationships.rules.ts'
import { createStatement, type Db, onlyRow, PREPARED_READ } from '#server/platform/database/db.ts'
import { shelfCounts } from './counts.repository.ts'
import { firstOfShelves, preparedPage, selectPage } from './lists.repository.ts'
import type { ListCursor, ListFilter, ListPage, ListViewer } from './lists.rules.ts'
import {
  type JsonMarks,
  marksById,
  type ReaderMarks,
  selectMarks,
} from './reader-marks.repository.ts'

/** What one person sees of the feed besides what everybody sees. */
interface Beyond {
  viewer: ListViewer
  /** In no order: the first rows that friends and family show them, and their own. */
  rows: EnvelopeRow[]
  found: number
  revealed: number
  /** What the person did about those of the ids and rows that they did anything about. */
  marks: Map<string, ReaderMarks>
}

interface Values extends ViewerAccount {
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
  marks: JsonMarks[]
}
/** One row has the facts, the others the page. */
type Row = (Facts & { id: null }) | EnvelopeRow
type Statement = (db: Db, values: Values) => Promise<Row[]>

/** By every option that changes the statement; few of the many sizes of pages are requested. */
const statements = new Map<string, Statement>()
const MAX_STATEMENTS = 100

/** Reads it in one query: it is what every page of somebody signed in costs. */
export async function readBeyondPublic(
  db: Db,
  filter: Omit<ListFilter, 'viewer' | 'authorId' | 'scope'>,
  page: ListPage,
  reader: ViewerAccount & { ids: readonly string[] },
): Promise<Beyond> {
  const rows = await statementFor(filter, page)(db, {
    userId: reader.userId,
    verifiedEmailKey: reader.verifiedEmailKey,
    ids: reader.ids,
    now: filter.now,
    category: filter.category,
    afterValue: page.after?.value,
    afterId: page.after?.id,
    untilValue: page.until?.value,
    untilId: page.until?.id,
  })
  const facts = onlyRow(rows.filter((row) => row.id === null))
  const { friends, family, blocked } = facts
  return {
    viewer: { userId: reader.userId, friends, family, blocked },
    rows: rows.filter((row) => row.id !== null),
    found: facts.shelvesFound,
    revealed: facts.shelvesRevealed,
    marks: marksById(facts.marks),
  }
}

type Narrowing = Pick<ListFilter, 'status' | 'category' | 'kind'>

function statementFor(
  { status, category, kind }: Narrowing,
  { sort, after, until, limit }: ListPage,
): Statement {
  const whichAreSet = [category, after, until].map((value) => value !== undefined).join()
  const key = `${status} ${whichAreSet} ${kind} ${sort} ${limit}`
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

/** The marks of an account on these revelations as JSON, whose keys are those of the type. */
function marksAsJson(account: ViewerAccount, ids: RawBuilder<unknown>): RawBuilder<object> {
  return sql`
    select coalesce(json_agg(json_build_object(
      'revelationId', revelation_id, 'savedDeliveryId', saved_delivery_id, 'reactions', reactions,
      'vote', vote, 'openedAt', opened_at, 'isAwaited', is_awaited
    )), '[]') from (${selectMarks(account, ids)}) as marks`
}

interface TieAndMarks {
  tie: Relation | null
  /** What they did about it; empty when that is nothing. */
  marks: Map<string, ReaderMarks>
}

type TieAndMarksValues = ViewerAccount & { authorId: string; ids: readonly string[] }
type TieAndMarksRow = Pick<TieAndMarks, 'tie'> & { marks: JsonMarks[] }

const selectTieAndMarks = createStatement((_db, values: TieAndMarksValues) => {
  const { userId, authorId, ids } = values
  return sql<TieAndMarksRow>`
    select ${tieBetween(userId, authorId)} as tie, (${marksAsJson(values, sql`${ids}::uuid[]`)}) as marks ${PREPARED_READ}`
})

/** How somebody stands to the author of a revelation, and what they did about it that shows on it for them. */
export async function readTieAndMarks(
  db: Db,
  { userId, verifiedEmailKey }: ViewerAccount,
  { authorId, id }: { authorId: string; id: string },
): Promise<TieAndMarks> {
  const values = { userId, verifiedEmailKey, authorId, ids: [id] }
  const { tie, marks } = onlyRow(await selectTieAndMarks(db, values))
  return { tie, marks: marksById(marks) }
}

function select(db: Db, filter: ListFilter, page: ListPage, values: Values) {
  const { userId, ids } = values
  const shelf = sql<object>`shelf`
  const first = selectPage(db, firstOfShelves(filter, shelf, page), page)
  return sql<Row>`
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
    ), page as materialized (
      select * from ${first} as first
    ), shown as materialized (
      select array(select id from page) || ${ids}::uuid[] as ids
    ), facts as materialized (
      select array(select id::text from tied where type = 'friend') as friends,
        array(select id::text from tied where type = 'family') as family,
        array(select id::text from hidden) as blocked,
        (${marksAsJson(values, sql`(select ids from shown)::uuid[]`)}) as marks,
        coalesce(sum(found), 0)::bigint as shelves_found,
        coalesce(sum(revealed), 0)::bigint as shelves_revealed
      from (${shelfCounts(filter, shelf, 1)}) as shelves
    )
    select facts.*, page.* from facts full join page on false ${preparedPage(page, PREPARED_READ)}`
}
