import { Feed } from './feed.tsx'
import { FeedFilters } from './feed-filters.tsx'
import { Hero } from './hero.tsx'
import { useFeedFilters } from './use-feed-filters.ts'

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
