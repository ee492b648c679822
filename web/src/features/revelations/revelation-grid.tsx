import type { ReactNode } from 'react'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** Cards side by side, as many as fit. Each child is one card. */
export function RevelationGrid({ children }: { children: ReactNode }) {
  return <ul className="grid gap-5 sm:grid-cols-2 lg:grid-cols-3 [&>li]:grid">{children}</ul>
}

/** The shape of the grid while it loads. */
export function RevelationGridSkeleton() {
  return (
    <div role="status">
      <span className="sr-only">Chargement des révélations</span>
      <div aria-hidden="true" className="grid gap-5 sm:grid-cols-2 lg:grid-cols-3">
        {['sky-night night-card', 'sky-paper bg-surface', 'sky-night night-card'].map(
          (look, index) => (
            <div
              key={look + String(index)}
              className={`${look} flex h-108 flex-col gap-3 rounded-card border border-line p-5`}
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
