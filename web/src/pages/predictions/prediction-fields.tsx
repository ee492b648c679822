import { OUTCOMES, type OutcomeFilter } from '#contract/predictions.ts'
import { CATEGORIES, type Category } from '#contract/revelations.ts'
import { OUTCOME_WORDS } from '#web/features/predictions/outcome-words.ts'
import { CATEGORY_WORDS } from '#web/features/revelations/revelation-words.ts'
import { Select } from '#web/ui/select.tsx'
import { AuthorField } from './author-field.tsx'
import type { PredictionFilters } from './use-prediction-filters.ts'

const CATEGORY_OPTIONS = [
  { value: '', label: 'Catégories' },
  ...CATEGORIES.map((value) => ({ value, label: CATEGORY_WORDS[value].label })),
]

const OUTCOME_OPTIONS = [
  { value: '', label: 'Issues' },
  ...OUTCOMES.map((value) => ({ value, label: OUTCOME_WORDS[value].label })),
  { value: 'none', label: 'Sans issue déclarée' },
]

const ORDERS = {
  'a-venir': ['Plus proches', 'Plus lointaines'],
  devoilees: ['Plus récentes', 'Plus anciennes'],
} as const

interface PredictionFieldsProps {
  filters: PredictionFilters
  onChange: (change: Partial<PredictionFilters>) => void
}

export function PredictionFields({ filters, onChange }: PredictionFieldsProps) {
  const { tab, category, outcome, author, isNearestFirst } = filters
  const [nearest, farthest] = ORDERS[tab]
  return (
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <div className="col-span-2 sm:col-span-1">
        <AuthorField authorId={author} onChange={(chosen) => onChange({ author: chosen })} />
      </div>
      <Select
        label="Catégorie"
        hideLabel
        options={CATEGORY_OPTIONS}
        value={category ?? ''}
        onChange={({ target }) => onChange({ category: (target.value || undefined) as Category })}
      />
      {tab === 'devoilees' && (
        <Select
          label="Issue"
          hideLabel
          options={OUTCOME_OPTIONS}
          value={outcome ?? ''}
          onChange={({ target }) =>
            onChange({ outcome: (target.value || undefined) as OutcomeFilter })
          }
        />
      )}
      <Select
        label="Ordre"
        hideLabel
        className={tab === 'devoilees' ? 'col-span-2 sm:col-span-1' : undefined}
        options={[
          { value: 'near', label: nearest },
          { value: 'far', label: farthest },
        ]}
        value={isNearestFirst ? 'near' : 'far'}
        onChange={({ target }) => onChange({ isNearestFirst: target.value === 'near' })}
      />
    </div>
  )
}
