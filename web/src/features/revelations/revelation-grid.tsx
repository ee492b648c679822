import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { Eye, Share2, SmilePlus } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import { pluralize } from '#contract/plural.ts'
import type { RevelationPage } from '#contract/revelations.ts'
import { formatCount } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { IconSheet } from '#web/ui/icon-sheet.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { CATEGORY_LABELS, KIND_LABELS, VISIBILITY_LABELS } from './revelation-labels.ts'

/** What the cards of strangers and their buttons draw; an icon that few cards have stands in those. */
const CARD_ICONS = [
  ...Object.values(KIND_LABELS),
  VISIBILITY_LABELS.public,
  ...Object.values(CATEGORY_LABELS),
]
  .map(({ icon }) => icon)
  .concat(Eye, Share2, SmilePlus)

/** Cards side by side, as many as fit. Each child is one card. */
export function RevelationGrid({ children }: { children: ReactNode }) {
  return (
    <IconSheet icons={CARD_ICONS}>
      <ul className="grid gap-5 sm:grid-cols-2 lg:grid-cols-3 [&>li]:grid">{children}</ul>
    </IconSheet>
  )
}

export function RevelationGridSkeleton() {
  return (
    <div role="status">
      <span className="sr-only">Chargement des révélations</span>
      <div aria-hidden="true" className="grid gap-5 sm:grid-cols-2 lg:grid-cols-3">
        {['theme-night bg-night-card', 'theme-paper bg-surface', 'theme-night bg-night-card'].map(
          (theme, index) => (
            <div
              key={theme + String(index)}
              className={`${theme} flex h-108 flex-col gap-3 rounded-card border border-line p-5`}
            >
              <Skeleton className="mx-auto mt-10 size-24 rounded-full!" />
              <Skeleton className="mx-auto h-8 w-36" />
              <Skeleton className="mt-auto h-5 w-24" />
              <Skeleton className="h-6 w-full" />
              <Skeleton className="h-6 w-2/3" />
              <Skeleton className="h-9 w-40" />
            </div>
          ),
        )}
      </div>
    </div>
  )
}

/** How many were found, and how many of them are open or still sealed. */
export function RevelationCounts({ counts }: { counts?: RevelationPage['counts'] | undefined }) {
  if (!counts) return <Skeleton className="my-5 h-6 w-64 max-w-full" />
  const { found, revealed, pending, is_capped = false } = counts
  return (
    <p role="status" className="my-5 flex flex-wrap gap-x-5 text-ink-soft">
      <Count isLeast={is_capped} value={found} label={pluralize(found, 'trouvée', 'trouvées')} />
      {/* A capped count says nothing of its parts. */}
      {!is_capped && (
        <>
          <Count value={revealed} label={pluralize(revealed, 'dévoilée', 'dévoilées')} />
          <Count value={pending} label="en attente" />
        </>
      )}
    </p>
  )
}

interface CountProps {
  value: number
  label: string
  /** There are more than that. */
  isLeast?: boolean
}

function Count({ value, label, isLeast = false }: CountProps) {
  return (
    <span>
      {isLeast && 'plus de '}
      <strong className="tabular-digits text-ink">{formatCount(value)}</strong> {label}
    </span>
  )
}

interface MoreButtonProps {
  list: Pick<
    UseInfiniteQueryResult,
    'isFetchingNextPage' | 'isFetchNextPageError' | 'fetchNextPage'
  >
  /** The next page waits for the button. */
  isPause: boolean
  label?: string
}

/** The way to the next page of a list. */
export function MoreButton({
  list,
  isPause,
  label = 'Afficher plus de révélations',
}: MoreButtonProps) {
  const container = useRef<HTMLDivElement>(null)
  const { isFetchingNextPage: isLoading, isFetchNextPageError: hasFailed, fetchNextPage } = list
  const more = useEffectEvent(() => fetchNextPage())
  const isAutomatic = !isPause && !hasFailed && !isLoading
  useEffect(() => {
    if (!isAutomatic || !container.current) return
    const bottomObserver = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) more()
      },
      // Two screens ahead: the next cards are there before one reaches the last.
      { rootMargin: '200% 0%' },
    )
    bottomObserver.observe(container.current)
    return () => bottomObserver.disconnect()
  }, [isAutomatic])
  return (
    <div ref={container} className="mt-8 flex flex-col items-center gap-3">
      {hasFailed && (
        <Notice tone="error">La suite n’a pas pu être chargée. Réessayez dans un instant.</Notice>
      )}
      <Button
        variant="secondary"
        busy={isLoading}
        busyLabel="Chargement de la suite"
        onClick={() => fetchNextPage()}
      >
        {label}
      </Button>
    </div>
  )
}
