import { type Compilable, type CompiledQuery, sql } from 'kysely'
import pg from 'pg'
import type { Db } from './database.ts'

const MARK = '/* prepared */'
/** A connection keeps what it has planned for as long as it lives. */
const MAX_STATEMENTS = 300

const names = new Map<string, string>()

/** At the end of a statement: each connection plans it once, not at each request, and for all values alike. */
export const PREPARED = sql.raw(MARK)

function nameOf(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined || names.size >= MAX_STATEMENTS) return known
  const name = `statement_${names.size}`
  names.set(text, name)
  return name
}

type Query = (...parameters: unknown[]) => unknown

/** A connection that prepares the statements that end with `PREPARED`. */
export class PreparingClient extends pg.Client {
  override query = ((...parameters: unknown[]) => {
    const [text, values] = parameters
    const name =
      typeof text === 'string' && Array.isArray(values) && text.endsWith(MARK)
        ? nameOf(text)
        : undefined
    const query = super.query.bind(this) as Query
    return name === undefined ? query(...parameters) : query({ name, text, values })
  }) as pg.Client['query']
}

class Slot {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/**
 * A statement that is built once and run with other values each time: `build` is given names in the place of values,
 * and may do nothing with them but hand them to the statement.
 */
export function createStatement<Values extends object, Row>(
  build: (db: Db, values: Values) => Compilable<Row>,
): (db: Db, values: Values) => Promise<Row[]> {
  let built: CompiledQuery<Row> | undefined
  const slots = new Proxy({}, { get: (_, name) => new Slot(String(name)) }) as Values
  return async (db, values) => {
    built ??= build(db, slots).compile()
    const parameters = built.parameters.map((parameter) =>
      parameter instanceof Slot ? values[parameter.name as keyof Values] : parameter,
    )
    const { rows } = await db.executeQuery<Row>({ ...built, parameters })
    return rows
  }
}
