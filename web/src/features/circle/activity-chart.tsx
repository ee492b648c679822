import type { CircleStatistics } from '#contract/circle.ts'
import { formatCount, formatShortCount } from '#web/lib/format.ts'
import { classNames } from '#web/ui/class-names.ts'

const STRIPS: { kind: ActivityKind; form: 'bars' | 'line'; className: string; swatch: string }[] = [
  { kind: 'deliveries', form: 'bars', className: 'text-wax', swatch: 'bg-wax' },
  { kind: 'sounds', form: 'bars', className: 'text-ember', swatch: 'bg-ember' },
  { kind: 'interactions', form: 'line', className: 'text-leaf-ink', swatch: 'bg-leaf-ink' },
]

/** Three charts over the same months, each with its own scale, so that few letters stay visible beside many reactions. */
export function ActivityChart({ months }: { months: readonly ActivityMonth[] }) {
  return (
    <div aria-hidden="true" className="flex flex-col gap-4">
      {STRIPS.map(({ kind, form, className, swatch }) => (
        <div key={kind}>
          <p className="mb-1 flex items-center gap-2 text-sm">
            <span className={classNames('size-3 rounded-full', swatch)} />
            <span className="font-semibold">{ACTIVITY_LABELS[kind]}</span>
            <span className="tabular-digits text-ink-soft">
              {formatCount(months.reduce((sum, month) => sum + month[kind], 0))}
            </span>
          </p>
          <ActivityStrip
            form={form}
            values={months.map((month) => month[kind])}
            className={className}
          />
        </div>
      ))}
      <MonthNames months={months} />
    </div>
  )
}

function MonthNames({ months }: { months: readonly ActivityMonth[] }) {
  return (
    <div className="-mt-2.5 grid grid-flow-col auto-cols-fr text-center text-ink-soft text-xs">
      {months.map(({ month }, index) => {
        const { narrow, short } = monthNames(month)
        const isNow = index === months.length - 1
        return (
          <span key={month} className={isNow ? 'font-bold text-ink' : undefined}>
            <span className="sm:hidden">{narrow}</span>
            <span className="hidden sm:inline">{short}</span>
            {hasYear(months, index) && (
              <span className="tabular-digits block">{month.slice(0, 4)}</span>
            )}
          </span>
        )
      })}
    </div>
  )
}

/** The year is under its first month, and under the first month shown unless the two would touch. */
function hasYear(months: readonly ActivityMonth[], index: number): boolean {
  const begins = (at: number) => months[at]?.month.endsWith('-01') ?? false
  return begins(index) || (index === 0 && !begins(1))
}

const HEIGHT = 84
/** With nothing to show in twelve months, only its ground. */
const FLAT_HEIGHT = 14
/** Above the highest value, for its figure. */
const HEADROOM = 20
const FLOOR = HEIGHT - 2

interface ActivityStripProps {
  form: 'bars' | 'line'
  values: readonly number[]
  /** Its colour, as the colour of a text. */
  className: string
}

/** One value a month, as bars or as a line, as wide as its place: heights are in pixels, months in percents. */
function ActivityStrip({ form, values, className }: ActivityStripProps) {
  const highest = Math.max(...values)
  if (highest === 0) return <Ground />
  const heightOf = (value: number) =>
    value === 0 ? 0 : Math.max(3, (value / highest) * (FLOOR - HEADROOM))
  const marks = values.map((value, index) => ({
    value,
    index,
    x: `${(((index + 0.5) / values.length) * 100).toFixed(2)}%`,
    y: FLOOR - heightOf(value),
  }))
  return (
    <svg
      aria-hidden="true"
      width="100%"
      height={HEIGHT}
      className={`${className} block overflow-visible`}
      fill="currentColor"
    >
      <line x1="0" x2="100%" y1={FLOOR} y2={FLOOR} className="stroke-line-strong" />
      {form === 'line' && <Line tops={marks.map(({ y }) => y)} />}
      {marks.map(({ value, index, x, y }) => (
        <g key={index}>
          {form === 'bars' && value > 0 && (
            <rect
              x={x}
              y={y}
              height={FLOOR - y}
              rx="3"
              className="w-4 -translate-x-2 sm:w-7 sm:-translate-x-3.5"
            />
          )}
          {form === 'line' && value > 0 && <circle cx={x} cy={y} r="4" />}
          {value > 0 && (
            <text
              x={x}
              y={y - 7}
              textAnchor="middle"
              strokeWidth="4"
              strokeLinejoin="round"
              className="tabular-digits fill-ink stroke-surface font-semibold text-xs [paint-order:stroke]"
            >
              {formatShortCount(value)}
            </text>
          )}
        </g>
      ))}
    </svg>
  )
}

function Ground() {
  return (
    <svg aria-hidden="true" width="100%" height={FLAT_HEIGHT} className="block">
      <line
        x1="0"
        x2="100%"
        y1={FLAT_HEIGHT - 2}
        y2={FLAT_HEIGHT - 2}
        className="stroke-line-strong"
      />
    </svg>
  )
}

/** Stretched to the width of the drawing, its stroke is not. */
function Line({ tops }: { tops: readonly number[] }) {
  const points = tops.map((y, index) => `${index + 0.5},${y.toFixed(1)}`).join(' ')
  const last = tops.length - 0.5
  return (
    <svg
      aria-hidden="true"
      width="100%"
      height={HEIGHT}
      viewBox={`0 0 ${tops.length} ${HEIGHT}`}
      preserveAspectRatio="none"
    >
      <polygon points={`0.5,${FLOOR} ${points} ${last},${FLOOR}`} fillOpacity="0.16" />
      <polyline
        points={points}
        fill="none"
        stroke="currentColor"
        strokeWidth="2.5"
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  )
}

export type ActivityMonth = CircleStatistics['months'][number]
export type ActivityKind = Exclude<keyof ActivityMonth, 'month'>

export const ACTIVITY_LABELS: Record<ActivityKind, string> = {
  deliveries: 'Livraisons',
  sounds: 'Messages audio',
  interactions: 'Interactions',
}

export function isQuiet(months: readonly ActivityMonth[]): boolean {
  return months.every((month) => month.deliveries + month.sounds + month.interactions === 0)
}

const narrow = new Intl.DateTimeFormat('fr', { month: 'narrow', timeZone: 'UTC' })
const short = new Intl.DateTimeFormat('fr', { month: 'short', timeZone: 'UTC' })
const dated = new Intl.DateTimeFormat('fr', { month: 'short', year: 'numeric', timeZone: 'UTC' })
const long = new Intl.DateTimeFormat('fr', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** The names of a month, « 2026-11 », by length. */
export function monthNames(month: string) {
  const date = new Date(`${month}-01T00:00Z`)
  return {
    narrow: narrow.format(date),
    short: short.format(date),
    dated: dated.format(date),
    long: long.format(date),
  }
}
