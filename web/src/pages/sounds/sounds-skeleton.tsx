import { Skeleton } from '#web/ui/skeleton.tsx'

const ROWS = ['1', '2', '3', '4', '5']

export function SoundsSkeleton() {
  return (
    <div role="status" className="mt-6 grid gap-6 lg:grid-cols-[1fr_22rem]">
      <span className="sr-only">Chargement des messages</span>
      <div className="flex flex-col gap-2">
        {ROWS.map((row) => (
          <Skeleton key={row} className="h-26 rounded-card!" />
        ))}
      </div>
      <Skeleton className="hidden h-120 rounded-card! lg:block" />
    </div>
  )
}
