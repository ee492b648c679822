import { sql } from 'kysely'
import { type AppContext, inTransaction } from './context.ts'
import { AppError } from './errors.ts'
import { isTimeout } from './platform/database/sql-errors.ts'

/**
 * Runs a search in a transaction whose statements end after a limit: the cost of a search grows with the database and
 * the query, and other requests wait for the same PostgreSQL.
 */
export async function withSearchTimeout<T>(
  ctx: AppContext,
  search: (tx: AppContext) => Promise<T>,
): Promise<T> {
  const limit = String(ctx.config.searchTimeoutMs)
  try {
    return await inTransaction(ctx, async (tx) => {
      await sql`select set_config('statement_timeout', ${limit}, true)`.execute(tx.db)
      return search(tx)
    })
  } catch (error) {
    throw isTimeout(error) ? new AppError('search_too_slow') : error
  }
}
