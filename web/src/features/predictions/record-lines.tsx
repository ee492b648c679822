import type { PublicRecord } from '#contract/predictions.ts'
import { counted } from '#web/lib/format.ts'

/** The record of an author's public predictions; withdrawn ones count, so that it cannot be embellished. */
export function RecordLines({ record }: { record: PublicRecord }) {
  const outcomes = outcomesInWords(record)
  const { unattested = 0 } = record
  return (
    <>
      <span className="text-ink">{recordInWords(record)}</span>
      {outcomes && <span className="block">{outcomes}</span>}
      {unattested > 0 && (
        <span className="block">
          {counted(unattested, 'plus ancienne', 'plus anciennes')}, hors bilan&#8239;: le journal ne
          dit pas depuis quand{' '}
          {unattested === 1 ? 'elle était publique' : 'elles étaient publiques'}
        </span>
      )}
    </>
  )
}

/** « 12 scellées · 9 dévoilées · 1 retirée » */
function recordInWords({ sealed, revealed, withdrawn }: PublicRecord): string {
  return [
    counted(sealed, 'scellée', 'scellées'),
    counted(revealed, 'dévoilée', 'dévoilées'),
    counted(withdrawn, 'retirée', 'retirées'),
  ].join(' · ')
}

/** « 4 réalisées, 1 en partie, 2 ratées, 2 sans issue »; empty while nothing is revealed. */
function outcomesInWords({ outcomes, undeclared, narrowed }: PublicRecord): string {
  const parts: [count: number, one: string, many: string][] = [
    [outcomes.fulfilled, 'réalisée', 'réalisées'],
    [outcomes.partly, 'en partie', 'en partie'],
    [outcomes.failed, 'ratée', 'ratées'],
    [outcomes.undecidable, 'indécidable', 'indécidables'],
    [undeclared, 'sans issue', 'sans issue'],
    [
      narrowed,
      'qui n’est plus une prédiction publique',
      'qui ne sont plus des prédictions publiques',
    ],
  ]
  return parts
    .filter(([count]) => count > 0)
    .map((part) => counted(...part))
    .join(', ')
}
