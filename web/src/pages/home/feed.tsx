import { useInfiniteQuery } from '@tanstack/react-query'
import { ChevronRight, LockKeyhole } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { RevelationCounts } from '#web/features/revelations/revelation-grid.tsx'
import { RevelationList } from '#web/features/revelations/revelation-list.tsx'
import { revelationsQuery } from '#web/features/revelations/revelations.queries.ts'
import { paths } from '#web/lib/paths.ts'
import EmptyNight from '#web/ui/art/empty-night.svg?react'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { FeedCard } from './feed-card.tsx'
import { type HomeFilters, toQuery } from './use-feed-filters.ts'

export interface FeedProps {
  filters: HomeFilters
  onClear: () => void
}

interface WholeFeedProps extends FeedProps {
  /** Between the counts and the cards. */
  memories?: ReactNode
  /** What comes with the cards is not known yet: their skeleton stays. */
  isPending?: boolean
}

export function Feed({ filters, memories, isPending, onClear }: WholeFeedProps) {
  const feed = useInfiniteQuery(revelationsQuery(toQuery(filters)))
  return (
    <RevelationList
      list={feed}
      isOtherList={isPending}
      countsSkeleton={<UnderSearch />}
      failureTitle="Les révélations n’ont pas pu être chargées"
      failureClassName="mt-6"
      renderCounts={(counts) => (
        <>
          <UnderSearch counts={counts} />
          {memories}
        </>
      )}
      empty={<EmptyFeed filters={filters} onClear={onClear} />}
      renderCard={(revelation) => <FeedCard revelation={revelation} />}
    />
  )
}

/** The counts, and the way to what is never in this list. */
function UnderSearch({ counts }: Parameters<typeof RevelationCounts>[0]) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-5">
      <RevelationCounts counts={counts} />
      <Link
        to={paths.circle}
        className="-mr-1 inline-flex min-h-11 items-center gap-1.5 px-1 font-semibold underline-offset-4 hover:underline max-sm:-mt-4 max-sm:mb-1 max-sm:-ml-1"
      >
        <LockKeyhole aria-hidden="true" className="size-4.5" />
        Cercle Privé
        <ChevronRight aria-hidden="true" className="size-4.5" />
      </Link>
    </div>
  )
}

interface EmptyFeedProps {
  filters: HomeFilters
  onClear: () => void
}

function EmptyFeed({ filters, onClear }: EmptyFeedProps) {
  const isFiltered = Object.keys(toQuery(filters)).length > 0
  return (
    <EmptyState
      art={EmptyNight}
      title="Aucune révélation trouvée"
      action={
        isFiltered ? (
          <Button variant="secondary" onClick={onClear}>
            Effacer la recherche et les filtres
          </Button>
        ) : (
          <ButtonLink to={paths.create}>Sceller la première</ButtonLink>
        )
      }
    >
      {isFiltered
        ? 'Rien ne répond à ces mots et à ces filtres pour l’instant.'
        : 'La nuit est encore vide. La première lettre peut être la vôtre.'}
    </EmptyState>
  )
}
