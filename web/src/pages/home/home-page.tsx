import { useState } from 'react'
import { Navigate, useLocation } from 'react-router'
import { paths } from '#web/app/paths.ts'
import { useSession } from '#web/features/auth/session.tsx'
import { hasVisited } from '#web/lib/first-visit.ts'
import { Feed } from './feed.tsx'
import { FeedFilters } from './feed-filters.tsx'
import { Hero } from './hero.tsx'
import { useFeedFilters } from './use-feed-filters.ts'

/** The home page; for a visitor who never saw the demo, the demo first. */
export function HomePage() {
  const { user } = useSession()
  const { key, search } = useLocation()
  // The page that was loaded is judged by `before-paint.js`, before anything of it is seen. A search is what it names.
  const [isFirst] = useState(() => key !== 'default' && search === '' && !user && !hasVisited())
  return isFirst ? <Navigate to={paths.demo} replace /> : <Home />
}

function Home() {
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
