import { type ComponentProps, memo, useMemo } from 'react'
import { DayPicker, type MonthCaptionProps } from 'react-day-picker'
import { fr } from 'react-day-picker/locale'
import { fromLocalDate, toLocalDate } from '#web/lib/local-dates.ts'
import { firstDayOf, monthOf } from './calendar-months.ts'
import { DayButton, DayEntriesContext } from './day-button.tsx'
import type { Entry } from './day-entries.ts'

interface MonthGridProps {
  month: string
  today: string
  selected: string | undefined
  years: readonly number[]
  days: ReadonlyMap<string, Entry[]>
  onMonth: (month: string) => void
  onDay: (day: string) => void
}

/** A month from Monday to Sunday; arrows, Home, End and the Page keys move through the days. */
export const MonthGrid = memo(function MonthGrid({
  month,
  today,
  selected,
  years,
  days,
  onMonth,
  onDay,
}: MonthGridProps) {
  const modifiers = useMemo(
    () => ({ selected: selected ? toLocalDate(selected) : false }),
    [selected],
  )
  return (
    <DayEntriesContext value={days}>
      <DayPicker
        locale={fr}
        weekStartsOn={1}
        showOutsideDays
        hideNavigation
        month={toLocalDate(firstDayOf(month))}
        startMonth={toLocalDate(`${years[0]}-01-01`)}
        endMonth={toLocalDate(`${years.at(-1)}-12-01`)}
        today={toLocalDate(today)}
        modifiers={modifiers}
        onMonthChange={(date) => onMonth(monthOf(fromLocalDate(date)))}
        onDayClick={(date) => onDay(fromLocalDate(date))}
        components={COMPONENTS}
        formatters={FORMATTERS}
        labels={LABELS}
        classNames={CLASSES}
      />
    </DayEntriesContext>
  )
})

const COMPONENTS: ComponentProps<typeof DayPicker>['components'] = {
  DayButton,
  // The month is written above; this says it to whoever turns the pages by the keyboard.
  MonthCaption: ({ children }: MonthCaptionProps) => <div className="sr-only">{children}</div>,
}

const FORMATTERS: ComponentProps<typeof DayPicker>['formatters'] = {
  formatDay: (date) => String(date.getDate()),
}

// `DayButton` says its day itself.
const LABELS: ComponentProps<typeof DayPicker>['labels'] = { labelDayButton: () => '' }

const CLASSES = {
  month_grid: 'w-full table-fixed border-collapse',
  weekday: 'h-9 font-normal text-ink-soft text-sm',
  week: 'border-line border-t',
  day: 'h-px p-px align-top sm:p-0.5',
}
