import { useQueryClient } from '@tanstack/react-query'
import { classNames } from '#web/ui/class-names.ts'
import { Skeleton } from '#web/ui/loading.tsx'
import { findInLists } from './revelation-cache.ts'

/**
 * What is on its way, in its light: night or paper where a list knows which of them comes, else the colours of the page. An
 * open letter is never on night, not even while it loads.
 */
export function RevelationSkeleton({ id }: { id: string }) {
  const known = findInLists(useQueryClient(), id)
  const isLetter = known?.is_revealed && !known.opening.needed
  return (
    <div
      role="status"
      className={classNames(
        '-mb-16 min-h-[calc(100dvh-4rem)] py-10 text-ink',
        known && (isLetter ? 'theme-paper bg-ground' : 'theme-night bg-night'),
      )}
    >
      <span className="sr-only">Chargement de la révélation</span>
      {isLetter ? <LetterSkeleton /> : <EnvelopeSkeleton />}
    </div>
  )
}

function EnvelopeSkeleton() {
  return (
    <div aria-hidden="true" className="container-page flex max-w-3xl flex-col items-center gap-5">
      <Skeleton className="h-6 w-44" />
      <Skeleton className="h-10 w-4/5" />
      <Skeleton className="h-6 w-56" />
      <Skeleton className="mt-6 size-44 rounded-full!" />
      <Skeleton className="h-12 w-60" />
      <Skeleton className="h-5 w-72" />
    </div>
  )
}

function LetterSkeleton() {
  return (
    <div
      aria-hidden="true"
      className="container-page flex max-w-3xl flex-col gap-5 rounded-card border border-line bg-surface px-5 py-7 shadow-soft sm:px-12 sm:py-10"
    >
      <div className="flex items-center gap-4">
        <Skeleton className="size-10 rounded-full!" />
        <Skeleton className="h-6 w-44" />
      </div>
      <Skeleton className="h-10 w-4/5" />
      <Skeleton className="h-8 w-56" />
      {['w-full', 'w-11/12', 'w-10/12', 'w-3/5'].map((width) => (
        <Skeleton key={width} className={classNames('h-5', width)} />
      ))}
    </div>
  )
}
