import { formatCount } from '#web/lib/counts.ts'
import { classNames } from '#web/ui/class-names.ts'
import {
  ACTIVITY_WORDS,
  type ActivityKind,
  type ActivityMonth,
  monthNames,
} from './activity-months.ts'
import { ActivityStrip } from './activity-strip.tsx'

const STRIPS: { kind: ActivityKind; form: 'bars' | 'line'; look: string; swatch: string }[] = [
  { kind: 'deliveries', form: 'bars', look: 'text-wax', swatch: 'bg-wax' },
  { kind: 'sounds', form: 'bars', look: 'text-ember', swatch: 'bg-ember' },
  { kind: 'interactions', form: 'line', look: 'text-leaf-ink', swatch: 'bg-leaf-ink' },
]

/**
 * Three drawings under each other that share their months: each has a scale of its own, so that a few letters are not
 * crushed by hundreds of reactions, and each value is written where it stands.
 */
export function ActivityChart({ months }: { months: readonly ActivityMonth[] }) {
  return (
    <div aria-hidden="true" className="flex flex-col gap-4">
      {STRIPS.map(({ kind, form, look, swatch }) => (
        <div key={kind}>
          <p className="mb-1 flex items-center gap-2 text-sm">
            <span className={classNames('size-3 rounded-full', swatch)} />
            <span className="font-semibold">{ACTIVITY_WORDS[kind]}</span>
            <span className="digits text-ink-soft">
              {formatCount(months.reduce((sum, month) => sum + month[kind], 0))}
            </span>
          </p>
          <ActivityStrip form={form} values={months.map((month) => month[kind])} className={look} />
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
            {isYearSaid(months, index) && <span className="digits block">{month.slice(0, 4)}</span>}
          </span>
        )
      })}
    </div>
  )
}

/** Where it begins, and at the start, unless the two would touch. */
function isYearSaid(months: readonly ActivityMonth[], index: number): boolean {
  const begins = (at: number) => months[at]?.month.endsWith('-01') ?? false
  return begins(index) || (index === 0 && !begins(1))
}
