import { formatCalendarDay } from '#web/lib/dates.ts'
import { formatCount, formatShortCount } from '#web/lib/format.ts'
import { classNames } from './class-names.ts'

export interface Series {
  label: string
  form: 'bars' | 'line'
  tone: keyof typeof TONES
  /** One for each month. */
  values: readonly number[]
  /** Of all of it, where that is not the sum of the months. */
  total?: number
  /** Beside the total: what one would read off the chart. */
  summary?: string
}

const TONES = {
  wax: { text: 'text-wax', swatch: 'bg-wax' },
  ember: { text: 'text-ember', swatch: 'bg-ember' },
  leaf: { text: 'text-leaf-ink', swatch: 'bg-leaf-ink' },
  ink: { text: 'text-line-strong', swatch: 'bg-line-strong' },
} as const

interface MonthsChartProps {
  months: readonly string[]
  series: readonly Series[]
}

/** Charts over the same months, each with its own scale, so that few letters stay visible beside many reactions. */
export function MonthsChart({ months, series }: MonthsChartProps) {
  return (
    <div className="flex flex-col gap-4">
      {series.map(({ label, form, tone, values, total, summary }) => (
        <div key={label}>
          <p className="mb-1 flex flex-wrap items-center gap-x-2 text-sm">
            <span className={classNames('size-3 rounded-full', TONES[tone].swatch)} />
            <span className="font-semibold">{label}</span>
            <span className="tabular-digits text-ink-soft">
              {formatCount(total ?? values.reduce((sum, value) => sum + value, 0))}
            </span>
            {summary && <span className="text-ink-soft max-sm:w-full max-sm:pl-5">{summary}</span>}
          </p>
          <Strip form={form} values={values} className={TONES[tone].text} />
        </div>
      ))}
      <MonthNames months={months} />
    </div>
  )
}

function MonthNames({ months }: { months: readonly string[] }) {
  const isCrowded = months.length > CROWDED_FROM
  return (
    <div
      aria-hidden="true"
      className="-mt-2.5 grid grid-flow-col auto-cols-fr text-center text-ink-soft text-xs"
    >
      {months.map((month, index) => {
        const { narrow, short } = monthNames(month)
        const isNow = index === months.length - 1
        return (
          <span key={month} className={isNow ? 'font-bold text-ink' : undefined}>
            <span className={isCrowded ? 'lg:hidden' : 'sm:hidden'}>{narrow}</span>
            <span className={isCrowded ? 'hidden lg:inline' : 'hidden sm:inline'}>{short}</span>
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
function hasYear(months: readonly string[], index: number): boolean {
  if (months.every(isYear)) return false
  const begins = (at: number) => months[at]?.endsWith('-01') ?? false
  return begins(index) || (index === 0 && !begins(1))
}

/** More months than have room for their figures. */
const CROWDED_FROM = 12

const HEIGHT = 84
/** With nothing to show in twelve months, only its ground. */
const FLAT_HEIGHT = 14
/** Above the highest value, for its figure. */
const HEADROOM = 20
const FLOOR = HEIGHT - 2

interface StripProps {
  form: 'bars' | 'line'
  values: readonly number[]
  /** Its colour, as the colour of a text. */
  className: string
}

/** One value a month, as bars or as a line, as wide as its place: heights are in pixels, months in percents. */
function Strip({ form, values, className }: StripProps) {
  const highest = Math.max(...values)
  const isCrowded = values.length > CROWDED_FROM
  const isLabelled = (value: number, at: number) =>
    value > 0 && (!isCrowded || at === values.indexOf(highest))
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
              className={
                isCrowded
                  ? 'w-2 -translate-x-1 sm:w-4 sm:-translate-x-2'
                  : 'w-4 -translate-x-2 sm:w-7 sm:-translate-x-3.5'
              }
            />
          )}
          {form === 'line' && value > 0 && <circle cx={x} cy={y} r="4" />}
          {isLabelled(value, index) && (
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

/** A year, in the place of its months. */
export function isYear(month: string): boolean {
  return month.length === 4
}

/** The names of a month, « 2026-11 », by length; a year is its own. */
export function monthNames(month: string) {
  if (isYear(month)) return { narrow: month, short: month, dated: month, long: month }
  const day = `${month}-01`
  return {
    narrow: formatCalendarDay(day, 'narrowMonth'),
    short: formatCalendarDay(day, 'shortMonth'),
    dated: formatCalendarDay(day, 'shortMonthAndYear'),
    long: formatCalendarDay(day, 'monthAndYear'),
  }
}
