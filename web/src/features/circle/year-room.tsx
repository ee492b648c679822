import type { CircleStatistics } from '#contract/circle.ts'
import { formatCalendarDay } from '#web/lib/dates.ts'
import { counted, formatList } from '#web/lib/format.ts'
import { classNames } from '#web/ui/class-names.ts'
import { Panel } from '#web/ui/panel.tsx'

type Month = CircleStatistics['year'][number]

/** The letters of the year in twelve pigeonholes: those that wait in the night under their seal, those that are open on paper. */
export function YearRoom({ year, today }: { year: readonly Month[]; today: string }) {
  const sum = (of: 'sealed' | 'opened') => year.reduce((total, month) => total + month[of], 0)
  return (
    <Panel
      title={`L’année ${today.slice(0, 4)} en lettres`}
      intro={inWords(sum('opened'), sum('sealed'))}
    >
      <ol className="grid grid-cols-4 gap-2 sm:grid-cols-6 xl:grid-cols-12">
        {year.map((month) => (
          <Pigeonhole key={month.month} month={month} isNow={today.startsWith(month.month)} />
        ))}
      </ol>
    </Panel>
  )
}

function inWords(opened: number, sealed: number): string {
  if (opened + sealed === 0) return 'Aucune lettre de la famille ne s’ouvre cette année.'
  const parts = [
    opened > 0 && counted(opened, 'lettre ouverte', 'lettres ouvertes'),
    sealed > 0 && counted(sealed, 'lettre encore scellée', 'lettres encore scellées'),
  ]
  return `${formatList(parts.filter((part) => part !== false))}.`
}

const DRAWN_MAX = 3

function Pigeonhole({ month, isNow }: { month: Month; isNow: boolean }) {
  const { opened, sealed } = month
  const total = opened + sealed
  const kinds = [...Array(opened).fill('opened'), ...Array(sealed).fill('sealed')] as const
  const drawn = kinds.slice(total > DRAWN_MAX ? -DRAWN_MAX : 0)
  return (
    <li className="min-w-0 text-center">
      <div
        aria-hidden="true"
        className={classNames(
          'relative flex h-20 items-end justify-center rounded-field border px-1 pb-2',
          sealed > 0 ? 'theme-night bg-night border-line' : 'theme-paper border-line bg-sunken',
          isNow && 'outline-2 outline-ember outline-offset-1',
        )}
      >
        {drawn.map((kind, index) => (
          <Letter
            // biome-ignore lint/suspicious/noArrayIndexKey: drawings of nothing in particular
            key={index}
            isOpen={kind === 'opened'}
            className={classNames('w-8', index > 0 && '-ml-3.5', TILTS[index])}
          />
        ))}
        {total > DRAWN_MAX && (
          <span className="tabular-digits absolute top-1 right-1.5 font-bold text-ink text-sm">
            {total}
          </span>
        )}
      </div>
      <span
        aria-hidden="true"
        className={classNames('mt-1 block text-sm', isNow ? 'font-bold' : 'text-ink-soft')}
      >
        {formatCalendarDay(`${month.month}-01`, 'shortMonth')}
      </span>
      <span className="sr-only">
        {formatCalendarDay(`${month.month}-01`, 'month')}
        {isNow && ' (ce mois-ci)'}&#8239;: {total === 0 ? 'aucune lettre' : inWords(opened, sealed)}
      </span>
    </li>
  )
}

const TILTS = ['-rotate-3', 'rotate-4', '-rotate-2']

/** A sheet of paper, or an envelope under its wax. */
function Letter({ isOpen, className }: { isOpen: boolean; className: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 36 44" className={className}>
      {isOpen ? (
        <>
          <path d="M4 2h20l8 8v32H4z" fill="#fffdf8" stroke="#b9a98c" />
          <path d="M24 2v8h8" fill="#f3ebdc" stroke="#b9a98c" />
          <path d="M9 17h18M9 23h18M9 29h12" stroke="#8c7f91" strokeWidth="1.6" />
        </>
      ) : (
        <>
          <rect x="1" y="14" width="34" height="26" rx="2" fill="#2a3478" stroke="#8f9be0" />
          <path d="M1 16l17 13 17-13" fill="none" stroke="#8f9be0" />
          <circle cx="18" cy="28" r="6" fill="#b3263a" stroke="#e28a96" strokeWidth="0.8" />
        </>
      )}
    </svg>
  )
}
