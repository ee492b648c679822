import { Skeleton } from '#web/ui/skeleton.tsx'

/** The shape of the page while the revelation is on its way: night, since that is what most visits meet. */
export function DetailSkeleton() {
  return (
    <div
      role="status"
      className="sky-night night-sky -mb-16 min-h-[calc(100dvh-4rem)] py-10 text-ink"
    >
      <span className="sr-only">Chargement de la révélation</span>
      <div aria-hidden="true" className="content flex max-w-3xl flex-col items-center gap-5">
        <Skeleton className="h-6 w-44" />
        <Skeleton className="h-10 w-4/5" />
        <Skeleton className="h-6 w-56" />
        <Skeleton className="mt-6 size-44 rounded-full!" />
        <Skeleton className="h-12 w-60" />
        <Skeleton className="h-5 w-72" />
      </div>
    </div>
  )
}
