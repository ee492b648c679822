import { RECEIVED_STATES, type ReceivedPage, type ReceivedState } from '#contract/received.ts'
import { formatCount } from '#web/lib/format.ts'
import { ChoiceTiles } from '#web/ui/choice-tiles.tsx'
import { SearchBox } from '#web/ui/search-box.tsx'
import type { ReceivedPageFilters } from './use-received-filters.ts'

export const STATE_LABELS: Record<ReceivedState, string> = {
  waiting: 'À ouvrir',
  upcoming: 'À venir',
  opened: 'Ouvertes',
}

interface ReceivedFieldsProps {
  filters: ReceivedPageFilters
  total: number | undefined
  counts: ReceivedPage['counts'] | undefined
  onChange: (change: Partial<ReceivedPageFilters>) => void
}

export function ReceivedFields({ filters, total, counts, onChange }: ReceivedFieldsProps) {
  // The place of a count is there before it.
  const hintOf = (count: number | undefined) => (count === undefined ? '…' : formatCount(count))
  return (
    <div className="mt-4 grid gap-3 md:grid-cols-2">
      <SearchBox
        label="Rechercher un titre ou un pseudo"
        placeholder="Un titre, un pseudo"
        q={filters.q}
        onSearch={(q) => onChange({ q })}
      />
      <ChoiceTiles
        legend="Lettres à montrer"
        hideLegend
        layout="row"
        name="state"
        choices={[
          { value: 'all' as const, label: 'Tout', hint: hintOf(total) },
          ...RECEIVED_STATES.map((value) => ({
            value,
            label: STATE_LABELS[value],
            hint: hintOf(counts?.[value]),
          })),
        ]}
        value={filters.state}
        onChange={(state) => onChange({ state })}
      />
    </div>
  )
}
