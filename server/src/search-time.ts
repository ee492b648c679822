import { sql } from 'kysely'
import { type AppContext, inTransaction } from './context.ts'
import { AppError } from './errors.ts'
import { isTimeout } from './platform/database/sql-errors.ts'

/**
 * Searches on one connection, which gives up a statement after a time that no search should take: what one costs
 * grows with the database and with what is asked, and others wait for the same PostgreSQL.
 */
export async function inSearchTime<T>(
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
