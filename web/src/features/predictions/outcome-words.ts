import { CircleCheckBig, CircleDotDashed, CircleHelp, CircleX, type LucideIcon } from 'lucide-react'
import type { Outcome, PublicRecord } from '#contract/predictions.ts'
import { counted } from '#web/lib/counts.ts'

interface Words {
  label: string
  /** What an author means by it. */
  hint: string
  icon: LucideIcon
  /** The colour of its words and signs; never the only sign of it. */
  ink: string
  fill: string
}

export const OUTCOME_WORDS: Record<Outcome, Words> = {
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

/** « 12 scellées · 9 dévoilées · 1 retirée » */
export function recordInWords({ sealed, revealed, withdrawn }: PublicRecord): string {
  return [
    counted(sealed, 'scellée', 'scellées'),
    counted(revealed, 'dévoilée', 'dévoilées'),
    counted(withdrawn, 'retirée', 'retirées'),
  ].join(' · ')
}

/** « 4 réalisées, 1 en partie, 2 ratées, 2 sans issue »; empty while nothing is revealed. */
export function outcomesInWords({ outcomes, undeclared, narrowed }: PublicRecord): string {
  const parts: [count: number, one: string, many: string][] = [
    [outcomes.fulfilled, 'réalisée', 'réalisées'],
    [outcomes.partly, 'en partie', 'en partie'],
    [outcomes.failed, 'ratée', 'ratées'],
    [outcomes.undecidable, 'indécidable', 'indécidables'],
    [undeclared, 'sans issue', 'sans issue'],
    [narrowed, 'qui n’est plus publique', 'qui ne sont plus publiques'],
  ]
  return parts
    .filter(([count]) => count > 0)
    .map((part) => counted(...part))
    .join(', ')
}
