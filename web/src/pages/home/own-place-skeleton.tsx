import { Skeleton } from '#web/ui/loading.tsx'

/** Of whatever waits for me, so that nothing below moves when it comes. */
export const ownPlaceRow =
  '@container relative flex min-h-28 items-center gap-3.5 overflow-hidden rounded-card border border-line bg-night-card px-4'

/** The place that `OwnPlace` will have. */
export function OwnPlaceSkeleton() {
  return (
    <div role="status">
      <span className="sr-only">Chargement de ce qui vous attend</span>
      <div className="flex h-9 items-center">
        <Skeleton className="h-5 w-52" />
      </div>
      <div className={ownPlaceRow}>
        <Skeleton className="size-14 shrink-0 rounded-full!" />
        <span className="flex flex-1 flex-col gap-2">
          <Skeleton className="h-5 w-4/5" />
          <Skeleton className="h-4 w-1/2" />
        </span>
      </div>
    </div>
  )
}
