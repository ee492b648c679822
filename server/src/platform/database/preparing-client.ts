import pg from 'pg'
import { PREPARED_MARK, PREPARED_READ_MARK } from './db.ts'
import { isOutdatedStatement } from './sql-errors.ts'

/** A connection stores each of its plans until it ends. */
const MAX_STATEMENTS = 300

const statementNames = new Map<string, string>()

function statementNameOf(text: string): string | undefined {
  const known = statementNames.get(text)
  if (known !== undefined || statementNames.size >= MAX_STATEMENTS) return known
  const name = `statement_${statementNames.size}`
  statementNames.set(text, name)
  return name
}

function isPrepared(text: string): boolean {
  return text.endsWith(PREPARED_MARK) || text.endsWith(PREPARED_READ_MARK)
}

type Query = (...parameters: unknown[]) => unknown

/**
 * A connection that prepares the statements that end with `PREPARED` or `PREPARED_READ`. One that returns a column more since a
 * migration is refused from then on (docs/scaling.md: old programs go on meanwhile), and goes on unprepared.
 */
export class PreparingClient extends pg.Client {
  readonly #outdated = new Set<string>()

  override query = ((...parameters: unknown[]) => {
    const [text, values] = parameters
    const name =
      typeof text === 'string' && Array.isArray(values) && isPrepared(text)
        ? statementNameOf(text)
        : undefined
    const query = super.query.bind(this) as Query
    if (name === undefined || this.#outdated.has(name)) return query(...parameters)
    const answer = query({ name, text, values }) as Promise<unknown>
    return answer.catch((error: unknown) => {
      if (!isOutdatedStatement(error)) throw error
      this.#outdated.add(name)
      // A transaction has failed by it: whoever began it begins anew.
      if (this.getTransactionStatus() !== 'I') throw error
      return query(...parameters)
    })
  }) as pg.Client['query']
}
