import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { CircleStatistics } from '#contract/circle.ts'
import { circleStatisticsQuery } from '#web/features/circle/circle.queries.ts'
import { formatShortCount } from '#web/lib/format.ts'
import { Skeleton } from '#web/ui/loading.tsx'
import { QueryFailure } from '#web/ui/notice.tsx'
import { circleSearch, useCircleTab } from './use-circle-tab.ts'

/** Four figures of the circle, which link to what they count. */
export function CircleFigures() {
  const query = useQuery(circleStatisticsQuery())
  const { data, error, isPending } = query
  const { tab } = useCircleTab()
  return (
    <section aria-label="Le cercle en chiffres" className="relative -mt-9">
      <ul className="grid grid-cols-4 divide-x divide-line overflow-hidden rounded-card border border-line bg-surface shadow-soft">
        {tilesOf(data).map(({ to, ...figure }) => (
          <FigureTile key={to} to={to} isLoading={isPending} {...figure} />
        ))}
      </ul>
      {/* The statistics tab shows its own failure. */}
      {error && !data && tab !== 'statistiques' && (
        <QueryFailure
          query={query}
          className="mt-3"
          title="Les chiffres du cercle n’ont pas pu être chargés"
        />
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

interface FigureTileProps {
  to: string
  /** Undefined while it loads or where it is not known. */
  value: number | undefined
  isLoading: boolean
  one: string
  many: string
}

function FigureTile({ to, value, isLoading, one, many }: FigureTileProps) {
  return (
    <li className="grid min-w-0">
      <Link
        to={to}
        preventScrollReset
        className="flex min-h-19 flex-col items-center justify-center px-1 py-2.5 text-center hover:bg-sunken focus-visible:-outline-offset-3 sm:min-h-22"
      >
        <span className="tabular-digits font-bold text-2xl leading-tight sm:text-3xl">
          {isLoading ? (
            <Skeleton className="my-1 h-6 w-8 sm:h-8" />
          ) : value === undefined ? (
            <>
              <span aria-hidden="true" className="text-ink-soft">
                –
              </span>
              <span className="sr-only">Nombre inconnu&#8239;:</span>
            </>
          ) : (
            formatShortCount(value)
          )}
        </span>{' '}
        <span className="max-w-full text-balance text-ink-soft text-xs leading-tight sm:text-sm">
          {value !== undefined && value < 2 ? one : many}
        </span>
      </Link>
    </li>
  )
}
