import { Skeleton } from '#web/ui/skeleton.tsx'

export function MembersSkeleton() {
  return (
    <div role="status">
      <span className="sr-only">Chargement de vos contacts</span>
      <div aria-hidden="true">
        <Skeleton className="mb-4 h-8 w-56" />
        <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
          {['un', 'deux', 'trois'].map((place) => (
            <Skeleton key={place} className="h-40 rounded-card!" />
          ))}
        </div>
      </div>
    </div>
  )
}
