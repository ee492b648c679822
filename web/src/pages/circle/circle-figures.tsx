import { useQuery } from '@tanstack/react-query'
import type { CircleStatistics } from '#contract/circle.ts'
import { circleStatisticsQuery } from '#web/features/circle/circle.queries.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { FigureTile } from './figure-tile.tsx'
import { circleSearch, useCircleTab } from './use-circle-tab.ts'

/** The circle in four figures; each leads to what it counts. */
export function CircleFigures() {
  const { data, error, isPending, isFetching, refetch } = useQuery(circleStatisticsQuery())
  const { tab } = useCircleTab()
  return (
    <section aria-label="Le cercle en chiffres" className="relative -mt-9">
      <ul className="grid grid-cols-4 divide-x divide-line overflow-hidden rounded-card border border-line bg-surface shadow-soft">
        {tilesOf(data).map(({ to, ...figure }) => (
          <FigureTile key={to} to={to} isLoading={isPending} {...figure} />
        ))}
      </ul>
      {/* The tab of the figures says it in its own place. */}
      {error && !data && tab !== 'statistiques' && (
        <LoadFailure
          className="mt-3"
          title="Les chiffres du cercle n’ont pas pu être chargés"
          isRetrying={isFetching}
          onRetry={refetch}
        >
          {errorSentence(error, 'Erreur API')}
        </LoadFailure>
      )}
    </section>
  )
}

function tilesOf(figures: CircleStatistics | undefined) {
  return [
    {
      to: circleSearch('contacts'),
      value: figures?.total_members,
      one: 'contact privé',
      many: 'contacts privés',
    },
    {
      to: circleSearch('livraisons') || '?',
      value: figures?.total_revelations,
      one: 'livraison',
      many: 'livraisons',
    },
    {
      to: circleSearch('livraisons', { status: 'pending' }),
      value: figures?.upcoming_revelations,
      one: 'livraison à venir',
      many: 'livraisons à venir',
    },
    {
      to: circleSearch('livraisons', { status: 'revealed' }),
      value: figures?.revealed_revelations,
      one: 'dévoilée',
      many: 'dévoilées',
    },
  ]
}
