import { useInfiniteQuery } from '@tanstack/react-query'
import { RevelationGridSkeleton } from '#web/features/revelations/revelation-grid.tsx'
import { revelationsQuery } from '#web/features/revelations/revelations.queries.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { FeedCards } from '#web/pages/feed/feed-cards.tsx'
import { FeedCounts } from '#web/pages/feed/feed-counts.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { EmptyFeed } from './empty-feed.tsx'
import { type HomeFilters, toQuery } from './use-feed-filters.ts'

interface FeedProps {
  filters: HomeFilters
  onClear: () => void
}

export function Feed({ filters, onClear }: FeedProps) {
  const feed = useInfiniteQuery(revelationsQuery(toQuery(filters)))
  if (feed.isPending) {
    return (
      <>
        <FeedCounts />
        <RevelationGridSkeleton />
      </>
    )
  }
  if (feed.isError && !feed.data) {
    return (
      <LoadFailure
        className="mt-6"
        title="Les révélations n’ont pas pu être chargées"
        isRetrying={feed.isFetching}
        onRetry={feed.refetch}
      >
        {errorSentence(feed.error, 'Erreur API')}
      </LoadFailure>
    )
  }
  const [firstPage] = feed.data.pages
  return (
    <div
      aria-busy={feed.isPlaceholderData}
      className={feed.isPlaceholderData ? 'opacity-60 transition-opacity delay-200' : undefined}
    >
      <FeedCounts counts={firstPage?.counts} />
      <FeedCards feed={feed} empty={<EmptyFeed filters={filters} onClear={onClear} />} />
    </div>
  )
}
