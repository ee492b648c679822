import { formatShortCount } from '#web/lib/counts.ts'

interface TabLabelProps {
  /** How many are behind the tab, once it is known. */
  count: number | undefined
  /** Said after the count where the tab does not say what is counted. */
  unit?: string
  children: string
}

export function TabLabel({ count, unit, children }: TabLabelProps) {
  return (
    <>
      {children}{' '}
      {count !== undefined && (
        <span className="digits inline-flex h-6 min-w-6 items-center justify-center rounded-full bg-sunken px-1.5 text-ink-soft text-sm">
          {formatShortCount(count)} {unit && <span className="sr-only">{unit}</span>}
        </span>
      )}
    </>
  )
}
