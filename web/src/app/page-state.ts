import { type DehydratedState, dehydrate, hydrate, type QueryClient } from '@tanstack/react-query'
import { ApiError } from '#web/lib/api-client.ts'

export const STATE_ID = 'page-state'

/** What the browser must know to render a page again as the server did. */
export interface PageState {
  nowMs: number
  origin: string
  queries: DehydratedState['queries']
  /**
   * What the page wanted and nobody found. Without its key, which names it: a page that finds nothing is the same bytes
   * whatever it wanted. The loader that wants the same again knows the key (`loadQuery`).
   */
  notFound: NotFound | null
}

export type NotFound = Pick<ApiError, 'message' | 'code'>

/** What the server was answered while it made a page; undefined when something else failed than to find it. */
export function dehydrateAnswers(
  client: QueryClient,
): Pick<PageState, 'queries' | 'notFound'> | undefined {
  const queries = client.getQueryCache().getAll()
  const errors = queries.map(({ state }) => state.error).filter((error) => error !== null)
  if (!errors.every(isNotFound)) return undefined
  const [error] = errors
  return {
    // Without the times of the answers: one page is the same bytes as another that shows the same.
    queries: dehydrate(client).queries.map(({ state, ...query }) => ({
      ...query,
      dehydratedAt: 0,
      state: { ...state, dataUpdatedAt: 0 },
    })),
    notFound: error ? { message: error.message, code: error.code } : null,
  }
}

/** Whether the API refused to answer so many calls of this visitor. */
export function wasLimited(client: QueryClient): boolean {
  return client
    .getQueryCache()
    .getAll()
    .some(({ state: { error } }) => error instanceof ApiError && error.status === 429)
}

/** As fresh as if the browser had asked now: its clock may be another than the server's. */
export function hydrateAnswers(client: QueryClient, queries: PageState['queries']): void {
  const dataUpdatedAt = Date.now()
  hydrate(client, {
    queries: queries.map((query) => ({ ...query, state: { ...query.state, dataUpdatedAt } })),
  })
}

export function hydrateNotFound(
  client: QueryClient,
  queryKey: readonly unknown[],
  { message, code }: NotFound,
): void {
  const query = client.getQueryCache().build(client, { queryKey })
  const error = new ApiError(message, code, 404)
  query.setState({ status: 'error', error, errorUpdatedAt: Date.now(), errorUpdateCount: 1 })
}

function isNotFound(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 404
}
