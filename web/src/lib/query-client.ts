import { notifyManager, type Query, QueryClient, type QueryFilters } from '@tanstack/react-query'
import { isUnreachable } from './api-client.ts'
import { isOnline } from './online.ts'

const RETRIES = 2

// At once, as navigating is: a page must know who is signed in before it goes elsewhere for that.
notifyManager.setScheduler(queueMicrotask)

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // Without a network a call fails at once and says so, instead of waiting without a word.
      queries: {
        staleTime: 30_000,
        retry: mayRetry,
        refetchOnWindowFocus: true,
        networkMode: 'always',
        refetchOnReconnect: true,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}

/** Only a failure of the network or of a busy server is worth another try: an answer is an answer. */
function mayRetry(failures: number, error: Error): boolean {
  return failures < RETRIES && isOnline() && isUnreachable(error)
}

/** The queries that wait for an answer of the server. */
export function getFetchingQueries(client: QueryClient, filters: QueryFilters): Query[] {
  return client.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' })
}

/** Resolves once these queries have their answers, which may be older than an event that comes now. */
export async function waitForPendingFetches(
  client: QueryClient,
  filters: QueryFilters,
): Promise<void> {
  await Promise.allSettled(getFetchingQueries(client, filters).map(({ promise }) => promise))
}
