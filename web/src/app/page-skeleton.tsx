import { useLayoutEffect } from 'react'
import { matchPath } from 'react-router'
import { RevelationGridSkeleton } from '#web/features/revelations/revelation-grid.tsx'
import { RevelationSkeleton } from '#web/features/revelations/revelation-skeleton.tsx'
import { paths } from '#web/lib/paths.ts'
import { Skeleton } from '#web/ui/loading.tsx'

/** Pages that are a list of cards; any other is a sheet. */
const LISTS: string[] = [paths.home, paths.predictions, paths.received, paths.circle, paths.sounds]

interface PageSkeletonProps {
  pathname: string
  /** Its own code is asked for before anybody knows whether the page will be late. */
  isShown: boolean
}

/** The shape of a page whose code is on its way, in the place of the one that was left. */
export function PageSkeleton({ pathname, isShown }: PageSkeletonProps) {
  useLayoutEffect(() => {
    if (isShown) window.scrollTo(0, 0)
  }, [isShown])
  if (!isShown) return null
  const { id } = matchPath(paths.revelation(':id'), pathname)?.params ?? {}
  return (
    <div aria-hidden="true" className="page-skeleton">
      {id ? (
        <RevelationSkeleton id={id} />
      ) : (
        <div className="container-page py-10">
          <Skeleton className="h-9 w-64 max-w-full" />
          <Skeleton className="mt-4 h-12 w-full max-w-reading" />
          <div className="mt-6">
            {LISTS.includes(pathname) ? (
              <RevelationGridSkeleton />
            ) : (
              <Skeleton className="h-96 w-full rounded-card!" />
            )}
          </div>
        </div>
      )}
    </div>
  )
}
