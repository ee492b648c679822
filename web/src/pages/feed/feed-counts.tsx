import type { RevelationPage } from '#contract/revelations.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'

const number = new Intl.NumberFormat('fr')

/** How many were found, and how many of them are open or still wait. */
export function FeedCounts({ counts }: { counts?: RevelationPage['counts'] | undefined }) {
  if (!counts) return <Skeleton className="my-5 h-6 w-64" />
  const { found, revealed, pending, is_capped = false } = counts
  return (
    <p role="status" className="my-5 flex flex-wrap gap-x-5 text-ink-soft">
      <Figure isLeast={is_capped} value={found} word={found > 1 ? 'trouvées' : 'trouvée'} />
      {/* Of what is not all counted, the parts are not known either. */}
      {!is_capped && (
        <>
          <Figure value={revealed} word={revealed > 1 ? 'dévoilées' : 'dévoilée'} />
          <Figure value={pending} word="en attente" />
        </>
      )}
    </p>
  )
}

interface FigureProps {
  value: number
  word: string
  /** There are more than that. */
  isLeast?: boolean
}

function Figure({ value, word, isLeast = false }: FigureProps) {
  return (
    <span>
      {isLeast && 'plus de '}
      <strong className="digits text-ink">{number.format(value)}</strong> {word}
    </span>
  )
}
