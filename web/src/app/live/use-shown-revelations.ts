import { notifyManager, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { WATCHED_MAX } from '#contract/events.ts'
import { idsInUse } from '#web/features/revelations/revelation-cache.ts'

/** The ids of the revelations this page shows, between commas: the same text as long as they are the same. */
export function useShownRevelations(): string {
  const client = useQueryClient()
  const subscribe = useCallback(
    // Not at once: a query is made, and told, while what shows it is rendered.
    (onChange: () => void) => client.getQueryCache().subscribe(notifyManager.batchCalls(onChange)),
    [client],
  )
  return useSyncExternalStore(subscribe, () => shown(client))
}

function shown(client: QueryClient): string {
  // Sorted, so that cards that change places are not new ones.
  return idsInUse(client).slice(-WATCHED_MAX).sort().join()
}
