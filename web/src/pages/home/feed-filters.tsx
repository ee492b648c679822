import { SlidersHorizontal, X } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { KIND_NOUNS } from '#contract/kinds.ts'
import { KindFilter } from '#web/features/revelations/kind-filter.tsx'
import { STATUS_LABELS, StatusFilter } from '#web/features/revelations/status-filter.tsx'
import { Button } from '#web/ui/button.tsx'
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

/** The search and, folded, the filters; those that narrow the list are seen, and each may be taken away. */
export function FeedFilters({ filters, onChange }: FeedFiltersProps) {
  const { status, visibility, kind } = filters
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const opener = useRef<HTMLButtonElement>(null)
  const remove = (change: Partial<HomeFilters>) => {
    onChange(change)
    // The chip goes with its filter.
    opener.current?.focus()
  }
  return (
    <div className="mt-3 sm:mt-4">
      <div className="flex gap-2">
        <SearchBox
          label="Rechercher un titre, un pseudo, quelques mots"
          placeholder="Titre, pseudo…"
          q={filters.q}
          onSearch={(q) => onChange({ q })}
          className="min-w-0 flex-1"
        />
        <Button
          ref={opener}
          variant="secondary"
          className="min-h-12 shrink-0"
          aria-expanded={isOpen}
          aria-controls={id}
          icon={<SlidersHorizontal aria-hidden="true" className="size-5" />}
          onClick={() => setOpen(!isOpen)}
        >
          Filtres
        </Button>
      </div>
      <div id={id} hidden={!isOpen} className="pt-3">
        <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-[22rem_14rem_14rem]">
          <StatusFilter status={status} onChange={(chosen) => onChange({ status: chosen })} />
          <Select
            label="Visibilité"
            hideLabel
            options={VISIBILITY_FILTERS.map((value) => ({
              value,
              label: VISIBILITY_LABELS[value],
            }))}
            value={visibility}
            onChange={(event) => onChange({ visibility: event.target.value as VisibilityFilter })}
          />
          <KindFilter kind={kind} onChange={(chosen) => onChange({ kind: chosen })} />
        </div>
      </div>
      {(status !== 'all' || visibility !== 'all' || kind) && (
        <ul aria-label="Filtres actifs" className="flex flex-wrap gap-2 pt-3">
          {status !== 'all' && (
            <Chip label={STATUS_LABELS[status]} onRemove={() => remove({ status: 'all' })} />
          )}
          {visibility !== 'all' && (
            <Chip
              label={VISIBILITY_LABELS[visibility]}
              onRemove={() => remove({ visibility: 'all' })}
            />
          )}
          {kind && (
            <Chip label={KIND_NOUNS[kind].many} onRemove={() => remove({ kind: undefined })} />
          )}
        </ul>
      )}
    </div>
  )
}

function Chip({ label, onRemove }: { label: string; onRemove: () => void }) {
  return (
    <li>
      <button
        type="button"
        onClick={onRemove}
        className="inline-flex min-h-11 items-center gap-1.5 rounded-full border border-line-strong bg-sunken py-1 pr-2.5 pl-4 font-semibold text-sm hover:bg-surface"
      >
        {label}
        <X aria-hidden="true" className="size-4.5" />
        <span className="sr-only">, retirer ce filtre</span>
      </button>
    </li>
  )
}
