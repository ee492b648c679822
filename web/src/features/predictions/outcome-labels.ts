import { CircleCheckBig, CircleDotDashed, CircleHelp, CircleX, type LucideIcon } from 'lucide-react'
import type { Outcome } from '#contract/predictions.ts'

interface OutcomeLabel {
  label: string
  hint: string
  icon: LucideIcon
  /** The colour of its text and icon, which is never the only difference. */
  ink: string
  fill: string
}

export const OUTCOME_LABELS: Record<Outcome, OutcomeLabel> = {
  fulfilled: {
    label: 'Réalisée',
    hint: 'Ce qui était écrit est arrivé.',
    icon: CircleCheckBig,
    ink: 'text-leaf-ink',
    fill: 'bg-leaf-ink',
  },
  partly: {
    label: 'En partie',
    hint: 'Une partie est arrivée, ou presque.',
    icon: CircleDotDashed,
    ink: 'text-ember-ink',
    fill: 'bg-ember-ink',
  },
  failed: {
    label: 'Ratée',
    hint: 'Ce n’est pas arrivé.',
    icon: CircleX,
    ink: 'text-wax-ink',
    fill: 'bg-wax-ink',
  },
  undecidable: {
    label: 'Indécidable',
    hint: 'Personne ne peut le dire avec certitude.',
    icon: CircleHelp,
    ink: 'text-ink-soft',
    fill: 'bg-ink-soft',
  },
}
