import { ChoiceTiles } from '#web/ui/choice-tiles.tsx'

const STATUSES = ['all', 'pending', 'revealed'] as const
export type Status = (typeof STATUSES)[number]

export const STATUS_LABELS: Record<Status, string> = {
  all: 'Toutes',
  pending: 'En attente',
  revealed: 'Dévoilées',
}

/** The status of that name in an address, or `all`. */
export function statusNamed(name: string | null): Status {
  return STATUSES.find((status) => status === name) ?? 'all'
}

interface StatusFilterProps {
  status: Status
  onChange: (status: Status) => void
}

export function StatusFilter({ status, onChange }: StatusFilterProps) {
  return (
    <ChoiceTiles
      legend="Statut"
      hideLegend
      layout="row"
      name="status"
      choices={STATUSES.map((value) => ({ value, label: STATUS_LABELS[value] }))}
      value={status}
      onChange={onChange}
    />
  )
}
