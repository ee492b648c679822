import { sql } from 'kysely'
import type { Db } from '#server/platform/database/db.ts'

/** Something happened under a revelation, and its author is to be told. */
export interface DueDigest {
  revelationId: string
  authorId: string
}

export async function listDueDigests(db: Db, now: Date, limit: number): Promise<DueDigest[]> {
  return db
    .selectFrom('activityDigests')
    .innerJoin('revelations', 'revelations.id', 'activityDigests.revelationId')
    .select(['activityDigests.revelationId', 'revelations.authorId'])
    .where('activityDigests.dueAt', '<=', now)
    .orderBy('activityDigests.dueAt')
    .limit(limit)
    .execute()
}

/** Those that were still due; nothing waits there any more until something else happens. */
export async function takeDueDigests(
  db: Db,
  revelationIds: readonly string[],
  now: Date,
): Promise<string[]> {
  const { rows } = await sql<{ revelationId: string }>`
    update activity_digests set due_at = null, last_sent_at = ${now}
    where revelation_id in (
      select revelation_id from activity_digests
      where revelation_id = any(${revelationIds}::uuid[]) and due_at <= ${now}
      for update skip locked
    )
    returning revelation_id`.execute(db)
  return rows.map(({ revelationId }) => revelationId)
}

export async function findCountedFrom(db: Db, revelationId: string): Promise<Date | undefined> {
  const row = await db
    .selectFrom('activityDigests')
    .select('countedFrom')
    .where('revelationId', '=', revelationId)
    .executeTakeFirst()
  return row?.countedFrom
}

/** What happened before was told. */
export async function setCountedFrom(
  db: Db,
  revelationId: string,
  countedFrom: Date,
): Promise<void> {
  await db
    .updateTable('activityDigests')
    .set({ countedFrom })
    .where('revelationId', '=', revelationId)
    .where('countedFrom', '<', countedFrom)
    .execute()
}

/** How many, of how many people, and the names of some of them, the latest first. */
export interface Activity {
  count: number
  people: number
  pseudos: string[]
}

interface Span {
  revelationId: string
  from: Date
  until: Date
  /** Of whom nothing is counted: the author, and whom they do not see. */
  without: readonly string[]
}

const NAMES = 3

export async function sumComments(db: Db, span: Span): Promise<Activity> {
  return sum(db, 'comments', sql`and hidden_at is null`, span)
}

export async function sumReactions(db: Db, span: Span): Promise<Activity> {
  return sum(db, 'reactions', sql``, span)
}

async function sum(
  db: Db,
  table: 'comments' | 'reactions',
  condition: ReturnType<typeof sql>,
  { revelationId, from, until, without }: Span,
): Promise<Activity> {
  const { rows } = await sql<Activity>`
    with recent as (
      select author_id, created_at from ${sql.table(table)}
      where revelation_id = ${revelationId} and created_at >= ${from} and created_at < ${until}
        and author_id <> all(${without}::uuid[]) ${condition}
    )
    select count(*)::integer, count(distinct author_id)::integer as people, array(
      select pseudo from (
        select author_id, max(created_at) as last_at from recent group by author_id
        order by last_at desc, author_id limit ${NAMES}
      ) as latest join users on users.id = author_id
      order by last_at desc, author_id
    ) as pseudos
    from recent`.execute(db)
  return rows[0] ?? { count: 0, people: 0, pseudos: [] }
}
