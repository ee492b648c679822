import { RotateCcw } from 'lucide-react'
import { useState } from 'react'
import type { Revelation } from '#contract/revelations.ts'
import { RevelationCard } from '#web/features/revelations/revelation-card.tsx'
import { RevelationCounts, RevelationGrid } from '#web/features/revelations/revelation-grid.tsx'
import { type Status, StatusFilter } from '#web/features/revelations/status-filter.tsx'
import { Button } from '#web/ui/button.tsx'
import { LIVE_ID } from './samples.ts'

export const LIVE_PLACE = 'exemples'

/** On a phone the live sample has the height of its letter from the start, so that nothing jumps. */
const LIVE_MIN_HEIGHT = 'max-sm:min-h-[calc(34.8vw+31.2rem)]'

interface DemoSamplesProps {
  samples: Revelation[]
  /** How often the live sample was sealed again. */
  run: number
  onAgain: () => void
}

/** The samples, filtered and counted as the feed is; the live one opens on the page. */
export function DemoSamples({ samples, run, onAgain }: DemoSamplesProps) {
  const [filter, setFilter] = useState<{ status: Status; ids: string[] | undefined }>({
    status: 'all',
    ids: undefined,
  })
  // A sample that opens stays until another filter is chosen, as in the feed.
  const shown = samples.filter(({ id }) => filter.ids?.includes(id) ?? true)
  const live = samples.find(({ id }) => id === LIVE_ID)
  const choose = (status: Status) =>
    setFilter({ status, ids: samples.filter((sample) => has(status, sample)).map(({ id }) => id) })
  return (
    <section aria-labelledby={LIVE_PLACE} className="container-page pt-4 sm:pt-6">
      <h2 id={LIVE_PLACE} tabIndex={-1} className="text-3xl max-sm:sr-only">
        Trois lettres, trois moments
      </h2>
      <div className="items-center gap-x-8 sm:my-4 sm:flex">
        <div className="sm:w-96">
          <StatusFilter status={filter.status} onChange={choose} />
        </div>
        <RevelationCounts counts={countsOf(shown)} />
      </div>
      <p role="status" className="sr-only">
        {live?.is_revealed && `«\u202F${live.title}\u202F» vient de s’ouvrir.`}
      </p>
      <RevelationGrid>
        {shown.map((sample) => (
          <li key={sample.id} className={sample.id === LIVE_ID ? LIVE_MIN_HEIGHT : undefined}>
            <RevelationCard
              key={sample.id === LIVE_ID ? run : undefined}
              isSample
              revelation={sample}
              counts={<p className="text-ink-soft text-sm">Exemple inventé</p>}
              actions={sample.id === LIVE_ID && sample.is_revealed && <Again onAgain={onAgain} />}
            />
          </li>
        ))}
      </RevelationGrid>
    </section>
  )
}

function Again({ onAgain }: { onAgain: () => void }) {
  return (
    <Button
      variant="ghost"
      icon={<RotateCcw aria-hidden="true" className="size-4" />}
      onClick={onAgain}
    >
      Revoir l’ouverture
    </Button>
  )
}

function has(status: Status, { is_revealed }: Revelation): boolean {
  return status === 'all' || (status === 'revealed') === is_revealed
}

function countsOf(samples: Revelation[]) {
  const revealed = samples.filter(({ is_revealed }) => is_revealed).length
  return { found: samples.length, revealed, pending: samples.length - revealed }
}
