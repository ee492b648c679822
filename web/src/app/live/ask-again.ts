import type { Query, QueryClient, QueryFilters } from '@tanstack/react-query'
import { refreshComments, shownComments } from '#web/features/comments/comments.queries.ts'
import { isLongList } from '#web/features/revelations/revelation-cache.ts'

const isShownAnswer = (query: Query) =>
  !['session', 'comments'].includes(String(query.queryKey[0])) && !isLongList(query)

/**
 * Asks again for what this page shows: something may have happened that nobody told it. Many pages of a list are left
 * as they are, under the reader’s thumb; of comments the newest are asked.
 */
export function askAgainWhatIsShown(client: QueryClient): void {
  const coming = askedNow(client, { predicate: isShownAnswer }).filter(({ state }) => !state.data)
  void client.invalidateQueries({ predicate: isShownAnswer })
  // What is asked for the first time is not asked a second time meanwhile, and may have been answered before.
  for (const { promise, queryKey } of coming) {
    void promise?.then(
      () => client.invalidateQueries({ queryKey, exact: true }),
      () => undefined,
    )
  }
  for (const id of shownComments(client)) void refreshComments(client, id).catch(() => undefined)
}

/** Once all that is being asked for has come: it may have been answered before what is told now. */
export async function whenAnswered(client: QueryClient, filters: QueryFilters): Promise<void> {
  await Promise.allSettled(askedNow(client, filters).map(({ promise }) => promise))
}

function askedNow(client: QueryClient, filters: QueryFilters): Query[] {
  return client.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' })
}
