import { notifyManager, QueryClient } from '@tanstack/react-query'
import { isUnreachable } from './api-client.ts'

const RETRIES = 2

// A page must know who is signed in before it goes elsewhere for that: what a query learns is told at once, as navigating is.
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

/** What the network or a busy server spoilt is worth another try; an answer is an answer. */
function mayRetry(failures: number, error: Error): boolean {
  return failures < RETRIES && navigator.onLine !== false && isUnreachable(error)
}
