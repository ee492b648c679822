import type { Query, QueryClient } from '@tanstack/react-query'
import { listShownComments, refreshComments } from '#web/features/comments/comments.queries.ts'
import { isLongList } from '#web/features/revelations/revelation-cache.ts'
import { askedNow } from '#web/lib/asked-now.ts'

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
  for (const id of listShownComments(client))
    void refreshComments(client, id).catch(() => undefined)
}
