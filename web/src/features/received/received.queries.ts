import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  listReceived,
  type ReceivedQuery,
  saveRevelation,
  unsaveRevelation,
} from '#contract/received.ts'
import { useSignedInUser } from '#web/features/auth/session.tsx'
import { dropOfflineOfAccount } from '#web/features/offline-letters/forget-offline.ts'
import {
  itemKey,
  RECEIVED_LIST_KEY,
  restartReceived,
} from '#web/features/revelations/revelation-cache.ts'
import { LIST_BEHAVIOUR } from '#web/features/revelations/revelations.queries.ts'
import { callApi, isGone } from '#web/lib/api-client.ts'
import { deliveryKeyHeaders, markJoined, unmarkJoined } from '#web/lib/delivery-key.ts'

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

/**
 * Joins letters that this tab or device has the key of to the account, and returns those that could not be. `onJoined`
 * hears how many were, even when what asked has left the page meanwhile.
 */
export function useJoinLetters(onJoined?: (count: number) => void) {
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
    onSuccess: (failures, ids) => {
      const joined = ids.length - failures.length
      if (joined > 0) onJoined?.(joined)
    },
    onSettled: () => restartReceived(client),
  })
}

/** Takes a letter that was joined by its link out of the account; whoever has the link still reads it. */
export function useLeaveLetter(id: string, onLeft: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      try {
        await callApi(unsaveRevelation, { params: { id } })
      } catch (error) {
        // Another tab was quicker, or its author.
        if (!isGone(error)) throw error
      }
      await dropOfflineOfAccount(id)
    },
    onSuccess: () => {
      onLeft()
      unmarkJoined(id)
      const queryKey = itemKey(id)
      client.removeQueries({ queryKey, type: 'inactive' })
      void client.invalidateQueries({ queryKey })
      restartReceived(client)
    },
  })
}
