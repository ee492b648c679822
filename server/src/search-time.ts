import type { AppContext } from './context.ts'
import { AppError } from './errors.ts'
import { isPoolTimeout, isTimeout } from './platform/database/sql-errors.ts'

/**
 * Runs a search on connections whose statements end after a limit: the cost of a search grows with the database and
 * the query, and other requests wait for the same PostgreSQL.
 */
export async function withSearchTimeout<T>(
  ctx: AppContext,
  search: (searching: AppContext) => Promise<T>,
): Promise<T> {
  try {
    return await search({ ...ctx, db: ctx.searches.db })
  } catch (error) {
    const isTooSlow = isTimeout(error) || isPoolTimeout(error)
    throw isTooSlow ? new AppError('search_too_slow') : error
  }
}
