import { useInfiniteQuery } from '@tanstack/react-query'
import { RevelationCounts } from '#web/features/revelations/revelation-grid.tsx'
import { RevelationList } from '#web/features/revelations/revelation-list.tsx'
import { revelationsQuery } from '#web/features/revelations/revelations.queries.ts'
import { StatusFilter } from '#web/features/revelations/status-filter.tsx'
import { paths } from '#web/lib/paths.ts'
import EmptyNight from '#web/ui/art/empty-night.svg?react'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { SearchBox } from '#web/ui/search-box.tsx'
import { Select } from '#web/ui/select.tsx'
import { FeedCard } from './feed-card.tsx'
import {
  type HomeFilters,
  toQuery,
  VISIBILITY_FILTERS,
  type VisibilityFilter,
} from './use-feed-filters.ts'

interface FeedProps {
  filters: HomeFilters
  onClear: () => void
}

export function Feed({ filters, onClear }: FeedProps) {
  const feed = useInfiniteQuery(revelationsQuery(toQuery(filters)))
  return (
    <RevelationList
      list={feed}
      countsSkeleton={<RevelationCounts />}
      failureTitle="Les révélations n’ont pas pu être chargées"
      failureClassName="mt-6"
      renderCounts={(counts) => <RevelationCounts counts={counts} />}
      empty={<EmptyFeed filters={filters} onClear={onClear} />}
      renderCard={(revelation) => <FeedCard revelation={revelation} />}
    />
  )
}

const VISIBILITY_LABELS: Record<VisibilityFilter, string> = {
  all: 'Toutes les visibilités',
  public: 'Publiques',
  friends: 'Entre amis',
  private: 'Personnelles',
}

interface FeedFiltersProps {
  filters: HomeFilters
  onChange: (change: Partial<HomeFilters>) => void
}

export function FeedFilters({ filters, onChange }: FeedFiltersProps) {
  return (
    <div className="mt-5 grid gap-3 sm:grid-cols-2 lg:grid-cols-[1fr_22rem_14rem]">
      <SearchBox
        label="Rechercher un titre, un pseudo ou un contenu"
        placeholder="Un titre, un pseudo, un contenu"
        q={filters.q}
        onSearch={(q) => onChange({ q })}
        className="sm:max-lg:col-span-2"
      />
      <StatusFilter status={filters.status} onChange={(status) => onChange({ status })} />
      <Select
        label="Visibilité"
        hideLabel
        options={VISIBILITY_FILTERS.map((value) => ({ value, label: VISIBILITY_LABELS[value] }))}
        value={filters.visibility}
        onChange={(event) => onChange({ visibility: event.target.value as VisibilityFilter })}
      />
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
