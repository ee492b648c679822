import { pluralize } from '#contract/plural.ts'
import { formatShortCount } from '#web/lib/format.ts'

interface StatisticProps {
  /** What it stands in. */
  place: keyof typeof CLASSES
  /** Undefined while it is not known. */
  value: number | undefined
  one: string
  many: string
  /** What exactly is counted. */
  detail?: string
  format?: (value: number) => string
}

/** A number above what it counts; for a `<dl>`. */
export function Statistic({
  place,
  value,
  one,
  many,
  detail,
  format = formatShortCount,
}: StatisticProps) {
  const classes = CLASSES[place]
  const label = value === undefined ? many : pluralize(value, one, many)
  return (
    <div className={`flex flex-col-reverse ${classes.box}`}>
      <dt className={classes.label}>
        {detail ? <span className="font-semibold">{label}</span> : label}
        {detail && <span className="block text-ink-soft text-sm">{detail}</span>}
      </dt>
      <dd className={`tabular-digits font-bold ${classes.value}`}>
        {value === undefined ? (
          <span aria-hidden="true" className="text-ink-soft">
            –
          </span>
        ) : (
          format(value)
        )}
      </dd>
    </div>
  )
}

const CLASSES = {
  tile: {
    box: 'justify-end rounded-card border border-line bg-surface p-4 shadow-soft',
    label: 'leading-tight',
    value: 'text-3xl leading-tight',
  },
  panel: {
    box: 'min-w-0 justify-end',
    label: 'text-ink-soft text-sm leading-tight',
    value: 'text-2xl sm:text-3xl',
  },
  card: {
    box: 'min-w-0 px-1',
    label: 'text-ink-soft text-sm',
    value: 'text-xl',
  },
  bar: {
    box: 'min-w-0 items-center px-1',
    label: 'max-w-full truncate text-[0.7rem] text-ink-soft xs:text-sm',
    value: 'text-xl sm:text-2xl',
  },
  tallBar: {
    box: 'min-h-19 min-w-0 items-center justify-center px-1 py-2.5 text-center sm:min-h-22',
    label: 'text-balance text-[0.7rem] text-ink-soft leading-tight xs:text-xs sm:text-sm',
    value: 'text-xl leading-tight xs:text-2xl sm:text-3xl',
  },
}
