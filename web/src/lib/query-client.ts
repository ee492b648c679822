import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './api-client.ts'

const RETRIES = 2

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { staleTime: 30_000, retry: mayRetry, refetchOnWindowFocus: true },
      mutations: { retry: false },
    },
  })
}

/** What the network or a busy server spoilt is worth another try; an answer is an answer. */
function mayRetry(failures: number, error: Error): boolean {
  if (failures >= RETRIES || !(error instanceof ApiError)) return false
  return error.code === 'network' || error.code === 'timeout' || error.status >= 500
}
