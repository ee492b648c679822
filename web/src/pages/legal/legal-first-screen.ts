import { siteQuery } from '#web/features/site/site.queries.ts'
import type { PageFirstScreen } from '#web/lib/first-screen.ts'

/** The first screen of a page that says who runs this site. */
export function legalFirstScreen(canonical: string): PageFirstScreen {
  return {
    queries: () => [
      { queryKey: siteQuery.queryKey, ask: (client) => client.prefetchQuery(siteQuery) },
    ],
    head: () => ({ canonical }),
  }
}
