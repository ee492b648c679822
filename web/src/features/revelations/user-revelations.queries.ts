import { infiniteQueryOptions } from '@tanstack/react-query'
import { listRevelationsOfUser } from '#contract/revelations.ts'
import { callApi } from '#web/lib/api-client.ts'
import { LISTS_KEY } from './revelation-cache.ts'

/** Everything of one’s own; of somebody else, what is public and revealed. Newest first. */
export function revelationsOfUserQuery(userId: string) {
  return infiniteQueryOptions({
    queryKey: [...LISTS_KEY, 'of', userId],
    queryFn: ({ pageParam, signal }) =>
      callApi(
        listRevelationsOfUser,
        {
          params: { id: userId },
          querystring: { sort: 'newest', ...(pageParam && { cursor: pageParam }) },
        },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
  })
}
