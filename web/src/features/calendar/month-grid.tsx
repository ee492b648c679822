import {
  type KeyboardEvent,
  type MouseEvent,
  memo,
  startTransition,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { addDays } from '#contract/zoned-time.ts'
import { formatCalendarDay } from '#web/lib/dates.ts'
import { dayReachedBy, firstDayOf, monthOf, weeksAround } from './calendar-months.ts'
import { DayCell } from './day-cell.tsx'
import type { Entry } from './day-entries.ts'

interface MonthGridProps {
  month: string
  today: string
  selected: string | undefined
  /** First and last day one may go to. */
  min: string
  max: string
  days: ReadonlyMap<string, Entry[]>
  onMonth: (month: string) => void
  onDay: (day: string) => void
}

const NOTHING: readonly Entry[] = []

/**
 * A month from Monday to Sunday, by the grid pattern. The library of the date picker would render every day at each key and
 * create every cell at each month, which takes several frames on a slow phone; here only changed cells render.
 */
export const MonthGrid = memo(function MonthGrid(props: MonthGridProps) {
  const { month, today, selected, days } = props
  const { table, stop, onKeyDown, onClick } = useRovingDay(props)
  return (
    <>
      <p role="status" className="sr-only">
        {formatCalendarDay(firstDayOf(month), 'monthAndYear')}
      </p>
      <table
        ref={table}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table is how a grid is drawn
        role="grid"
        aria-label={formatCalendarDay(firstDayOf(month), 'monthAndYear')}
        className="w-full table-fixed border-collapse"
        onKeyDown={onKeyDown}
        onClick={onClick}
      >
        <Weekdays />
        <tbody>
          {weeksOf(month).map((week, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the next month takes the same rows over
            <tr key={row} className="border-line border-t">
              {week.map((day, column) => (
                <DayCell
                  // biome-ignore lint/suspicious/noArrayIndexKey: and the same cells
                  key={column}
                  day={day}
                  entries={days.get(day) ?? NOTHING}
                  isToday={day === today}
                  isSelected={day === selected}
                  isOutside={monthOf(day) !== month}
                  isStop={day === stop}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
})

/** Roving focus: one day is in the tab order, and keys move it across days and months. */
function useRovingDay({ month, today, selected, min, max, onMonth, onDay }: MonthGridProps) {
  const table = useRef<HTMLTableElement>(null)
  const [cursor, setCursor] = useState<string>()
  const wanted = useRef<string>(undefined)
  useLayoutEffect(() => {
    if (wanted.current === undefined || cursor !== wanted.current) return
    wanted.current = undefined
    table.current?.querySelector<HTMLElement>(`[data-day="${cursor}"] button`)?.focus()
  }, [cursor])
  const goTo = (day: string) => {
    wanted.current = day
    if (monthOf(day) === month) return setCursor(day)
    startTransition(() => {
      setCursor(day)
      onMonth(monthOf(day))
    })
  }
  const isHere = (day: string | undefined) => day !== undefined && monthOf(day) === month
  return {
    table,
    stop: [cursor, selected, today].find(isHere) ?? firstDayOf(month),
    onKeyDown: (event: KeyboardEvent) => {
      // Keys may come faster than a month is drawn.
      const day = wanted.current ?? dayOf(event)
      const next = day && dayReachedBy(event, day)
      if (!next) return
      event.preventDefault()
      if (next >= min && next <= max) goTo(next)
    },
    onClick: (event: MouseEvent) => {
      const day = dayOf(event)
      if (!day) return
      setCursor(day)
      onDay(day)
    },
  }
}

function dayOf({ target }: { target: EventTarget }): string | undefined {
  return target instanceof Element
    ? target.closest<HTMLElement>('[data-day]')?.dataset.day
    : undefined
}

function weeksOf(month: string): string[][] {
  const { first, last } = weeksAround(month)
  const weeks: string[][] = []
  for (let monday = first; monday < last; monday = addDays(monday, 7)) {
    weeks.push(Array.from({ length: 7 }, (_, index) => addDays(monday, index)))
  }
  return weeks
}

const MONDAY = '2024-01-01'
const WEEKDAYS = Array.from({ length: 7 }, (_, index) => {
  const day = addDays(MONDAY, index)
  return { short: formatCalendarDay(day, 'shortWeekday'), long: formatCalendarDay(day, 'weekday') }
})

const Weekdays = memo(function Weekdays() {
  return (
    <thead>
      <tr>
        {WEEKDAYS.map(({ short, long }) => (
          <th
            key={long}
            scope="col"
            abbr={long}
            aria-label={long}
            className="h-9 font-normal text-ink-soft text-sm"
          >
            {short}
          </th>
        ))}
      </tr>
    </thead>
  )
})
