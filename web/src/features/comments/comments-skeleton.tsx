import { Skeleton } from '#web/ui/skeleton.tsx'

/** The shape of a few comments while they are on their way. */
export function CommentsSkeleton() {
  return (
    <div role="status">
      <span className="sr-only">Chargement des commentaires</span>
      <div aria-hidden="true" className="flex flex-col">
        {['w-4/5', 'w-2/5', 'w-3/5'].map((width) => (
          <div key={width} className="flex gap-2.5 py-2">
            <Skeleton className="size-9 rounded-full!" />
            <div className="flex flex-1 flex-col gap-2 pt-1">
              <Skeleton className="h-4 w-32" />
              <Skeleton className={`h-4 ${width}`} />
            </div>
          </div>
        ))}
      </div>
    </div>
  )
}
