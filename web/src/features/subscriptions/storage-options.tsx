import { Plus } from 'lucide-react'
import type { StorageOption } from '#contract/subscriptions.ts'
import { formatPrice } from '#web/lib/prices.ts'
import { Panel } from '#web/ui/panel.tsx'

interface StorageOptionsProps {
  options: readonly StorageOption[]
  onChoose: (option: StorageOption) => void
}

/** Room to add to a plan that has a limit. */
export function StorageOptions({ options, onChoose }: StorageOptionsProps) {
  return (
    <Panel
      title="Stockage supplémentaire"
      intro="Ajouté une fois pour toutes à l’espace de votre plan. Vous le gardez si vous en changez."
    >
      <ul className="grid gap-3 sm:grid-cols-3">
        {options.map((option) => (
          <li key={option.amount}>
            <button
              type="button"
              onClick={() => onChoose(option)}
              className="flex min-h-14 w-full items-center gap-3 rounded-field border border-line-strong bg-surface px-4 py-2 text-left transition-colors hover:bg-sunken active:translate-y-px"
            >
              <Plus aria-hidden="true" className="size-5 shrink-0 text-ink-soft" />
              <span className="digits flex-1 font-semibold text-lg">{option.label}</span>{' '}
              <span className="digits text-ink-soft">{formatPrice(option.price)}</span>
            </button>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
