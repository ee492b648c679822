import { StatusFilter } from '#web/pages/feed/status-filter.tsx'
import { SearchBox } from '#web/ui/search-box.tsx'
import { Select } from '#web/ui/select.tsx'
import { type HomeFilters, VISIBILITY_FILTERS, type VisibilityFilter } from './use-feed-filters.ts'

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
