import { useInfiniteQuery } from '@tanstack/react-query'
import type { Revelation, RevelationPage } from '#contract/revelations.ts'
import { CardVerdict } from '#web/features/predictions/card-verdict.tsx'
import { RevelationGridSkeleton } from '#web/features/revelations/revelation-grid.tsx'
import { revelationsQuery } from '#web/features/revelations/revelations.queries.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { counted } from '#web/lib/counts.ts'
import { FeedCards } from '#web/pages/feed/feed-cards.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { NoPredictions } from './no-predictions.tsx'
import { type PredictionFilters, toPredictionsQuery } from './use-prediction-filters.ts'

interface PredictionListProps {
  filters: PredictionFilters
  isFiltered: boolean
  onClear: () => void
}

export function PredictionList({ filters, isFiltered, onClear }: PredictionListProps) {
  const feed = useInfiniteQuery(revelationsQuery(toPredictionsQuery(filters)))
  // The cards of the other tab are of another kind: better none for a moment than those.
  const isOfOtherTab =
    feed.isPlaceholderData &&
    feed.data?.pages[0]?.revelations.some(
      ({ is_revealed }) => is_revealed !== (filters.tab === 'devoilees'),
    )
  if (feed.isPending || isOfOtherTab) {
    return (
      <>
        <Skeleton className="my-5 h-6 w-40" />
        <RevelationGridSkeleton />
      </>
    )
  }
  if (feed.isError && !feed.data) {
    return (
      <LoadFailure
        className="mt-6"
        title="Les prédictions n’ont pas pu être chargées"
        isRetrying={feed.isFetching}
        onRetry={feed.refetch}
      >
        {errorSentence(feed.error, 'Erreur API')}
      </LoadFailure>
    )
  }
  return (
    <div
      aria-busy={feed.isPlaceholderData}
      className={feed.isPlaceholderData ? 'opacity-60 transition-opacity delay-200' : undefined}
    >
      <FoundCount counts={feed.data.pages[0]?.counts} />
      <FeedCards
        feed={feed}
        verdictOf={verdictOf}
        empty={<NoPredictions tab={filters.tab} isFiltered={isFiltered} onClear={onClear} />}
      />
    </div>
  )
}

function verdictOf(revelation: Revelation) {
  return revelation.prediction && <CardVerdict revelation={revelation} />
}

function FoundCount({ counts }: { counts: RevelationPage['counts'] | undefined }) {
  const { found = 0, is_capped = false } = counts ?? {}
  return (
    <p role="status" className="digits my-5 text-ink-soft empty:hidden">
      {found > 0 && `${is_capped ? 'Plus de ' : ''}${counted(found, 'prédiction', 'prédictions')}`}
    </p>
  )
}
