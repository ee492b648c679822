import { Skeleton } from '#web/ui/skeleton.tsx'

/** While the server is asked what the link of a mail is about. */
export function LinkSkeleton() {
  return (
    <div role="status" className="flex flex-col gap-4">
      <span className="sr-only">Lecture du lien</span>
      <Skeleton className="h-20 w-full" />
      <Skeleton className="h-13 w-full" />
    </div>
  )
}
