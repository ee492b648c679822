import { paths } from '#web/app/paths.ts'
import { revelationsQuery } from '#web/features/revelations/revelations.queries.ts'
import type { PageFirstScreen } from '#web/lib/first-screen.ts'
import { Feed } from './feed.tsx'
import { FeedFilters } from './feed-filters.tsx'
import { Hero } from './hero.tsx'
import { filtersIn, toQuery, useFeedFilters } from './use-feed-filters.ts'

export const firstScreen: PageFirstScreen = {
  queries: ({ search }) => {
    const query = revelationsQuery(toQuery(filtersIn(search)))
    return [{ queryKey: query.queryKey, ask: (client) => client.prefetchInfiniteQuery(query) }]
  },
  head: () => ({ canonical: paths.home }),
}

export function HomePage() {
  const { filters, setFilters, clearFilters } = useFeedFilters()
  return (
    <>
      <Hero />
      <section aria-labelledby="revelations" className="content pt-8 sm:pt-10">
        <h2 id="revelations" tabIndex={-1} className="text-2xl sm:text-3xl">
          Ce qui attend, ce qui vient de s’ouvrir
        </h2>
        <FeedFilters filters={filters} onChange={setFilters} />
        <Feed filters={filters} onClear={clearFilters} />
      </section>
    </>
  )
}
