import type { Query, QueryClient, QueryFilters } from '@tanstack/react-query'

/** What is being asked of the server. */
export function askedNow(client: QueryClient, filters: QueryFilters): Query[] {
  return client.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' })
}

/** Once all that is being asked for has come: it may have been answered before what is told now. */
export async function whenAnswered(client: QueryClient, filters: QueryFilters): Promise<void> {
  await Promise.allSettled(askedNow(client, filters).map(({ promise }) => promise))
}
