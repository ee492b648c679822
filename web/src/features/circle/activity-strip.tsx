import { formatShortCount } from '#web/lib/counts.ts'

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
export function ActivityStrip({ form, values, className }: ActivityStripProps) {
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
              className="digits fill-ink stroke-surface font-semibold text-xs [paint-order:stroke]"
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
