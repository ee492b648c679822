import { KIND_NOUNS, KINDS, type Kind } from '#contract/kinds.ts'
import { Select } from '#web/ui/select.tsx'

const OPTIONS = [
  { value: '', label: 'Tous les genres' },
  ...KINDS.map((value) => ({ value, label: KIND_NOUNS[value].many })),
]

interface KindFilterProps {
  kind: Kind | undefined
  onChange: (kind: Kind | undefined) => void
  className?: string
}

/** One kind of a list, or all of them. */
export function KindFilter({ kind, onChange, className }: KindFilterProps) {
  return (
    <Select
      label="Genre"
      hideLabel
      className={className}
      options={OPTIONS}
      value={kind ?? ''}
      onChange={({ target }) => onChange(KINDS.find((value) => value === target.value))}
    />
  )
}
