import { useInfiniteQuery } from '@tanstack/react-query'
import { RevelationGridSkeleton } from '#web/features/revelations/revelation-grid.tsx'
import { revelationsQuery } from '#web/features/revelations/revelations.queries.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { FeedCards } from '#web/pages/feed/feed-cards.tsx'
import { FeedCounts } from '#web/pages/feed/feed-counts.tsx'
import { StatusFilter } from '#web/pages/feed/status-filter.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { SearchBox } from '#web/ui/search-box.tsx'
import { EmptyCircle, NothingFound } from './no-deliveries.tsx'
import { toDeliveriesQuery, useDeliveryFilters } from './use-delivery-filters.ts'
import { useFiguresFollow } from './use-figures-follow.ts'

/** What is for the family, mine and theirs. */
export function DeliveriesTab() {
  const { filters, isFiltered, setFilters, clearFilters } = useDeliveryFilters()
  const feed = useInfiniteQuery(revelationsQuery(toDeliveriesQuery(filters)))
  useFiguresFollow(feed.data, feed.isPlaceholderData)
  const isEmpty = feed.data?.pages[0]?.revelations.length === 0
  return (
    <>
      <h2 className="sr-only">Livraisons</h2>
      {/* Nothing to search in: nothing to search with. */}
      {!(isEmpty && !isFiltered) && (
        <div className="mb-5 grid gap-3 sm:grid-cols-2 lg:grid-cols-[1fr_22rem]">
          <SearchBox
            label="Rechercher une livraison par son titre ou son auteur"
            placeholder="Un titre, un auteur"
            q={filters.q}
            onSearch={(q) => setFilters({ q })}
          />
          <StatusFilter status={filters.status} onChange={(status) => setFilters({ status })} />
        </div>
      )}
      {feed.isPending ? (
        <RevelationGridSkeleton />
      ) : feed.data ? (
        <div
          aria-busy={feed.isPlaceholderData}
          className={feed.isPlaceholderData ? 'opacity-60 transition-opacity delay-200' : undefined}
        >
          {isFiltered && <FeedCounts counts={feed.data.pages[0]?.counts} />}
          <FeedCards
            feed={feed}
            empty={isFiltered ? <NothingFound onClear={clearFilters} /> : <EmptyCircle />}
          />
        </div>
      ) : (
        <LoadFailure
          title="Les livraisons n’ont pas pu être chargées"
          isRetrying={feed.isFetching}
          onRetry={feed.refetch}
        >
          {errorSentence(feed.error, 'Erreur API')}
        </LoadFailure>
      )}
    </>
  )
}
