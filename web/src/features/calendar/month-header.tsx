import { CalendarCheck, ChevronDown, ChevronLeft, ChevronRight } from 'lucide-react'
import { memo, useMemo } from 'react'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { monthOf } from './calendar-months.ts'

interface MonthHeaderProps {
  month: string
  today: string
  years: readonly number[]
  onMonth: (month: string) => void
  onTurn: (count: 1 | -1) => void
}

const MONTHS = Array.from({ length: 12 }, (_, index) => {
  const number = String(index + 1).padStart(2, '0')
  const name = new Intl.DateTimeFormat('fr', { month: 'long', timeZone: 'UTC' })
  return { value: number, label: name.format(new Date(`2000-${number}-01T00:00Z`)) }
})

/** Which month is shown, and the ways to another one. */
export function MonthHeader({ month, today, years, onMonth, onTurn }: MonthHeaderProps) {
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

/** Words of a title that open the system’s own list. */
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

/** Two centuries of them: rendered once, whatever is chosen. */
const Options = memo(function Options({ options }: Pick<ChoiceProps, 'options'>) {
  return options.map(({ value, label }) => (
    <option key={value} value={value}>
      {label}
    </option>
  ))
})
