import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { listReceived, type ReceivedQuery, saveRevelation } from '#contract/received.ts'
import { useSignedInUser } from '#web/features/auth/session.tsx'
import { RECEIVED_LIST_KEY, restartReceived } from '#web/features/revelations/revelation-cache.ts'
import { LIST_BEHAVIOUR } from '#web/features/revelations/revelations.queries.ts'
import { callApi } from '#web/lib/api-client.ts'
import { deliveryKeyHeaders, markJoined } from '#web/lib/delivery-key.ts'

export type ReceivedFilters = Pick<ReceivedQuery, 'q' | 'state'>

/** The letters one received, page after page. */
export function receivedQuery(filters: ReceivedFilters) {
  return infiniteQueryOptions({
    queryKey: [...RECEIVED_LIST_KEY, filters],
    queryFn: ({ pageParam, signal }) =>
      callApi(
        listReceived,
        { querystring: { ...filters, ...(pageParam && { cursor: pageParam }) } },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    ...LIST_BEHAVIOUR,
  })
}

export interface JoinFailure {
  id: string
  error: unknown
}

/** Joins letters that this tab or device has the key of to the account, and returns those that could not be. */
export function useJoinLetters() {
  const client = useQueryClient()
  const { id: userId } = useSignedInUser()
  return useMutation({
    mutationFn: async (ids: string[]): Promise<JoinFailure[]> => {
      const failures: JoinFailure[] = []
      for (const id of ids) {
        try {
          await callApi(saveRevelation, { params: { id } }, { headers: deliveryKeyHeaders(id) })
          markJoined(id, userId)
        } catch (error) {
          failures.push({ id, error })
        }
      }
      return failures
    },
    onSettled: () => restartReceived(client),
  })
}
