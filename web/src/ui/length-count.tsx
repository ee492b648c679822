import { formatCount } from '#web/lib/format.ts'
import { classNames } from './class-names.ts'

interface LengthCountProps {
  length: number
  limit: number
  className?: string
}

/** How much of its limit a text has taken; past it, in the colour of what is refused. */
export function LengthCount({ length, limit, className }: LengthCountProps) {
  return (
    <span
      className={classNames(
        'tabular-digits',
        length > limit ? 'font-semibold text-error-ink' : 'text-ink-soft',
        className,
      )}
    >
      {formatCount(length)} / {formatCount(limit)}
      <span className="sr-only"> caractères</span>
    </span>
  )
}
