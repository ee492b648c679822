import { type CompiledQuery, type Kysely, sql } from 'kysely'
import type { Tables } from './tables.ts'

/** The database, or one transaction of it: `Transaction<Tables>` is a `Kysely<Tables>`. */
export type Db = Kysely<Tables>

/** Where searches are made: planned as usual, or with bitmaps of indexes alone (`openSearches`). */
export interface Searches {
  db: Db
  bitmaps: Db
}

/** The ends of the texts of statements that are prepared (`PreparingClient`); the second kind shares connections. */
export const PREPARED_MARK = '/* prepared */'
export const PREPARED_READ_MARK = '/* prepared read */'

/** Ends a statement that each connection plans once, for all values alike, instead of at each request. */
export const PREPARED = sql.raw(PREPARED_MARK)

/** The same for one that changes nothing, locks nothing and is short: outside of transactions, others wait behind it. */
export const PREPARED_READ = sql.raw(PREPARED_READ_MARK)

interface Buildable<Row> {
  compile(db: Db): CompiledQuery<Row>
}

class Slot {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/**
 * A statement that is built once and run with other values each time. `build` receives placeholders for the values, and
 * may only pass them to the statement.
 */
export function createStatement<Values extends object, Row>(
  build: (db: Db, values: Values) => Buildable<Row>,
): (db: Db, values: Values) => Promise<Row[]> {
  let built: CompiledQuery<Row> | undefined
  const slots = new Proxy({}, { get: (_, name) => new Slot(String(name)) }) as Values
  return async (db, values) => {
    built ??= build(db, slots).compile(db)
    const parameters = built.parameters.map((parameter) =>
      parameter instanceof Slot ? values[parameter.name as keyof Values] : parameter,
    )
    const { rows } = await db.executeQuery<Row>({ ...built, parameters })
    return rows
  }
}

/** The row of a statement that returns one, whatever the tables contain. */
export function onlyRow<Row>([row]: readonly Row[]): Row {
  if (!row) throw new Error('A query that always answers did not')
  return row
}

/** Runs a part of a transaction; when it throws, what it changed is rolled back, and nothing before it. */
export async function inSavepoint<T>(tx: Db, work: () => Promise<T>): Promise<T> {
  await sql`savepoint before_work`.execute(tx)
  try {
    return await work()
  } catch (error) {
    await sql`rollback to savepoint before_work`.execute(tx)
    throw error
  }
}

/** A whole list, page by page: `list` returns at most `limit` rows, the next ones after `after`. No page is empty. */
export async function* listPages<Row>(
  limit: number,
  list: (after: Row | undefined, limit: number) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let last: Row | undefined
  for (;;) {
    const page = await list(last, limit)
    if (page.length > 0) yield page
    if (page.length < limit) return
    last = page.at(-1)
  }
}

/** For `like`: the search form of a text, with each of its characters matching only itself. */
export function literalPattern(text: string) {
  // The escaping follows the conversion, which turns « ％ » into « % ».
  return sql<string>`regexp_replace(search_form(${text}), '([\\\\%_])', '\\\\\\1', 'g')`
}
