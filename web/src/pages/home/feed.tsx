import { useInfiniteQuery } from '@tanstack/react-query'
import { RevelationCounts } from '#web/features/revelations/revelation-grid.tsx'
import { RevelationList } from '#web/features/revelations/revelation-list.tsx'
import { revelationsQuery } from '#web/features/revelations/revelations.queries.ts'
import { StatusFilter } from '#web/features/revelations/status-filter.tsx'
import { paths } from '#web/lib/paths.ts'
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
      drawing={<EmptyNight />}
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

/** An open envelope under the moon, with nothing in it yet. */
function EmptyNight() {
  return (
    <svg aria-hidden="true" viewBox="0 0 240 150" className="w-60">
      <rect x="0" y="0" width="240" height="150" rx="14" fill="#1b2250" />
      <g fill="#fff" fillOpacity="0.3">
        <circle cx="34" cy="30" r="1.2" />
        <circle cx="72" cy="18" r="1.6" />
        <circle cx="118" cy="34" r="1" />
        <circle cx="160" cy="16" r="1.4" />
        <circle cx="214" cy="62" r="1.2" />
        <circle cx="22" cy="76" r="1" />
      </g>
      <path d="M197 20a17 17 0 1 0 13 28 20 20 0 0 1-13-28z" fill="#f6c987" />
      <path d="M70 78 120 44l50 34v46a5 5 0 0 1-5 5H75a5 5 0 0 1-5-5z" fill="#2a3376" />
      <path d="M70 78 120 44l50 34-50 32z" fill="#141a3f" />
      <path d="M70 80v44a5 5 0 0 0 5 5h90a5 5 0 0 0 5-5V80l-43 29q-7 5-14 0z" fill="#323b78" />
      <path d="m72 128 40-32M168 128l-40-32" stroke="#1b2250" strokeWidth="1.5" />
    </svg>
  )
}
