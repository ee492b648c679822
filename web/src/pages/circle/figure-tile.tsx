import { Link } from 'react-router'
import { formatShortCount } from '#web/lib/counts.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'

interface FigureTileProps {
  to: string
  /** Not known yet, or not at all, without it. */
  value: number | undefined
  isLoading: boolean
  one: string
  many: string
}

/** A figure that leads to what it counts. */
export function FigureTile({ to, value, isLoading, one, many }: FigureTileProps) {
  return (
    <li className="grid min-w-0">
      <Link
        to={to}
        preventScrollReset
        className="flex min-h-19 flex-col items-center justify-center px-1 py-2.5 text-center hover:bg-sunken focus-visible:-outline-offset-3 sm:min-h-22"
      >
        <span className="digits font-bold text-2xl leading-tight sm:text-3xl">
          {isLoading ? (
            <Skeleton className="my-1 h-6 w-8 sm:h-8" />
          ) : value === undefined ? (
            <>
              <span aria-hidden="true" className="text-ink-soft">
                –
              </span>
              <span className="sr-only">Nombre inconnu&nbsp;:</span>
            </>
          ) : (
            formatShortCount(value)
          )}
        </span>{' '}
        <span className="max-w-full text-balance text-ink-soft text-xs leading-tight sm:text-sm">
          {value !== undefined && value < 2 ? one : many}
        </span>
      </Link>
    </li>
  )
}
