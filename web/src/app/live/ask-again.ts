import type { QueryClient } from '@tanstack/react-query'
import { refreshComments, shownComments } from '#web/features/comments/comments.queries.ts'
import { isLongList } from '#web/features/revelations/revelation-cache.ts'

/**
 * Asks again for what this page shows: something may have happened that nobody told it. Many pages of a list are left
 * as they are, under the reader’s thumb; of comments the newest are asked.
 */
export function askAgainWhatIsShown(client: QueryClient): void {
  void client.invalidateQueries({
    predicate: (query) =>
      !['session', 'comments'].includes(String(query.queryKey[0])) && !isLongList(query),
  })
  for (const id of shownComments(client)) void refreshComments(client, id).catch(() => undefined)
}
