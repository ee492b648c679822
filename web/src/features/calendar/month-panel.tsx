import { CalendarCheck, CalendarPlus, ChevronDown, ChevronLeft, ChevronRight } from 'lucide-react'
import { memo, type PointerEvent, useEffect, useMemo, useRef } from 'react'
import { errorSentence } from '#web/lib/api-client.ts'
import { formatCalendarDay } from '#web/lib/dates.ts'
import { prefersReducedMotion } from '#web/lib/device.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { LoadFailure, QueryFailure } from '#web/ui/notice.tsx'
import { monthOf } from './calendar-months.ts'
import { Legend } from './kind-icon.tsx'
import { MonthGrid } from './month-grid.tsx'
import type { MonthContent } from './use-month.ts'

interface MonthPanelProps {
  month: string
  today: string
  selected: string | undefined
  years: readonly number[]
  content: MonthContent
  onMonth: (month: string) => void
  onTurn: (count: 1 | -1) => void
  onDay: (day: string) => void
  onAdd: () => void
}

export function MonthPanel({
  month,
  today,
  selected,
  years,
  content,
  onMonth,
  onTurn,
  onDay,
  onAdd,
}: MonthPanelProps) {
  const swipe = useSwipe(onTurn)
  const sheet = useTurningSheet(month)
  const { days, events, reveals } = content
  const isPending = events.isPending || reveals.isPending
  return (
    <section
      aria-label="Calendrier du cercle"
      aria-busy={content.isPending}
      className="-mx-2 grid grid-cols-[minmax(0,1fr)] gap-y-3 rounded-card border border-line bg-surface px-1 py-3 shadow-soft sm:mx-0 sm:grid-cols-[minmax(0,1fr)_auto] sm:gap-x-3 sm:p-4"
    >
      <div className="px-2 sm:px-0">
        <MonthHeader {...{ month, today, years, onMonth, onTurn }} />
      </div>
      <div className="sm:col-span-2">
        <Failures content={content} />
        <div role="status" className="h-0.5 overflow-hidden">
          {isPending && (
            <span className="block h-full animate-pulse bg-ember">
              <span className="sr-only">Chargement du calendrier</span>
            </span>
          )}
        </div>
        <div ref={sheet} className="touch-pan-y overflow-x-clip" {...swipe}>
          <MonthGrid
            month={month}
            today={today}
            selected={selected}
            min={`${years[0]}-01-01`}
            max={`${years.at(-1)}-12-31`}
            days={days}
            onMonth={onMonth}
            onDay={onDay}
          />
        </div>
      </div>
      <Button
        icon={<CalendarPlus aria-hidden="true" className="size-5" />}
        className="mx-2 sm:col-start-2 sm:row-start-1 sm:mx-0"
        onClick={onAdd}
      >
        Ajouter un événement
      </Button>
      <div className="px-2 sm:col-span-2 sm:px-0">
        <Legend />
      </div>
    </section>
  )
}

function Failures({ content: { events, reveals } }: Pick<MonthPanelProps, 'content'>) {
  return (
    <>
      {events.error && !events.data && (
        <QueryFailure
          query={events}
          title="Vos événements n’ont pas pu être chargés"
          className="mb-3"
        />
      )}
      {reveals.error && (
        <LoadFailure
          title="Les révélations de ce mois n’ont pas pu être chargées"
          isRetrying={reveals.isFetching}
          onRetry={() => reveals.refetch?.()}
          className="mb-3"
        >
          {errorSentence(reveals.error, 'Erreur API')}
        </LoadFailure>
      )}
    </>
  )
}

const TURN_MS = 180

/** A month slides in from its side in time, unless the person prefers less motion. */
function useTurningSheet(month: string) {
  const sheet = useRef<HTMLDivElement>(null)
  const former = useRef(month)
  useEffect(() => {
    const from = month > former.current ? 1 : -1
    const isOther = month !== former.current
    former.current = month
    if (!isOther || prefersReducedMotion()) return
    sheet.current?.animate?.([{ transform: `translateX(${from * 14}px)` }, { transform: 'none' }], {
      duration: TURN_MS,
      easing: 'cubic-bezier(0.22, 0.8, 0.3, 1)',
    })
  }, [month])
  return sheet
}

interface MonthHeaderProps {
  month: string
  today: string
  years: readonly number[]
  onMonth: (month: string) => void
  onTurn: (count: 1 | -1) => void
}

const MONTHS = Array.from({ length: 12 }, (_, index) => {
  const number = String(index + 1).padStart(2, '0')
  return { value: number, label: formatCalendarDay(`2000-${number}-01`, 'month') }
})

function MonthHeader({ month, today, years, onMonth, onTurn }: MonthHeaderProps) {
  const isFirst = month === `${years[0]}-01`
  const isLast = month === `${years.at(-1)}-12`
  return (
    <div className="flex min-w-0 flex-wrap items-center justify-end">
      <div className="flex grow items-center font-serif text-[1.3rem] sm:gap-x-1 sm:text-2xl">
        <Choice
          label="Mois"
          value={month.slice(5)}
          shown={MONTHS[Number(month.slice(5)) - 1]?.label ?? ''}
          options={MONTHS}
          onChoose={(number) => onMonth(`${month.slice(0, 4)}-${number}`)}
        />
        <YearChoice month={month} years={years} onMonth={onMonth} />
      </div>
      <Button
        variant="ghost"
        aria-label="Aujourd’hui"
        icon={<CalendarCheck aria-hidden="true" className="size-5" />}
        className="shrink-0 px-3!"
        disabled={month === monthOf(today)}
        onClick={() => onMonth(monthOf(today))}
      >
        <span className="max-sm:hidden">Aujourd’hui</span>
      </Button>
      <IconButton
        label="Mois précédent"
        icon={<ChevronLeft aria-hidden="true" className="size-6" />}
        disabled={isFirst}
        onClick={() => onTurn(-1)}
      />
      <IconButton
        label="Mois suivant"
        icon={<ChevronRight aria-hidden="true" className="size-6" />}
        disabled={isLast}
        onClick={() => onTurn(1)}
      />
    </div>
  )
}

interface YearChoiceProps {
  month: string
  years: readonly number[]
  onMonth: (month: string) => void
}

function YearChoice({ month, years, onMonth }: YearChoiceProps) {
  const options = useMemo(
    () => years.map((each) => ({ value: String(each), label: String(each) })),
    [years],
  )
  const year = String(Number(month.slice(0, 4)))
  return (
    <Choice
      label="Année"
      value={year}
      shown={year}
      options={options}
      onChoose={(chosen) => onMonth(`${chosen.padStart(4, '0')}-${month.slice(5)}`)}
    />
  )
}

interface ChoiceProps {
  label: string
  value: string
  shown: string
  options: readonly { value: string; label: string }[]
  onChoose: (value: string) => void
}

const shownClass =
  'inline-block decoration-dotted decoration-from-font underline-offset-4 first-letter:uppercase max-sm:underline'

/** A part of the title over a native select. */
function Choice({ label, value, shown, options, onChoose }: ChoiceProps) {
  return (
    <span className="relative inline-flex min-h-11 items-center gap-1 rounded-field px-1 hover:bg-sunken sm:px-1.5 has-focus-visible:outline-3 has-focus-visible:outline-focus">
      <span aria-hidden="true" className={shownClass}>
        {shown}
      </span>
      <ChevronDown aria-hidden="true" className="size-4 text-ink-soft max-sm:hidden" />
      <select
        aria-label={label}
        value={value}
        onChange={(event) => onChoose(event.target.value)}
        className="absolute inset-0 size-full cursor-pointer appearance-none font-sans text-base opacity-0"
      >
        <Options options={options} />
      </select>
    </span>
  )
}

/** Two centuries of years, rendered once. */
const Options = memo(function Options({ options }: Pick<ChoiceProps, 'options'>) {
  return options.map(({ value, label }) => (
    <option key={value} value={value}>
      {label}
    </option>
  ))
})

const LONG_ENOUGH_PX = 48

/** A horizontal swipe changes the month; a vertical one scrolls. */
function useSwipe(onSwipe: (direction: 1 | -1) => void) {
  const start = useRef<{ x: number; y: number }>(undefined)
  return {
    onPointerDown: ({ pointerType, isPrimary, clientX, clientY }: PointerEvent) => {
      start.current = pointerType === 'touch' && isPrimary ? { x: clientX, y: clientY } : undefined
    },
    onPointerUp: ({ clientX, clientY }: PointerEvent) => {
      if (!start.current) return
      const x = clientX - start.current.x
      const y = clientY - start.current.y
      start.current = undefined
      if (Math.abs(x) > LONG_ENOUGH_PX && Math.abs(x) > 2 * Math.abs(y)) onSwipe(x < 0 ? 1 : -1)
    },
    onPointerCancel: () => {
      start.current = undefined
    },
  }
}
