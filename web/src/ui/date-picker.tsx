import { CalendarDays, ChevronDown, ChevronLeft, ChevronRight } from 'lucide-react'
import { Popover } from 'radix-ui'
import { type Ref, useState } from 'react'
import { DayPicker } from 'react-day-picker'
import { fr } from 'react-day-picker/locale'
import { formatCalendarDay, fromLocalDate, toLocalDate } from '#web/lib/dates.ts'
import { classNames } from './class-names.ts'
import { controlClass, type FieldTexts, FormField } from './form-field.tsx'

interface DatePickerProps extends FieldTexts {
  /** « 2027-01-01 », or empty. */
  value: string
  onChange: (day: string) => void
  /** The day it is for whoever chooses, who may live by other clocks than this browser: « 2027-01-01 ». */
  today: string
  /** First and last day that may be chosen, as « 2027-01-01 ». */
  min?: string
  max?: string
  className?: string
  ref?: Ref<HTMLButtonElement>
}

/** The day chosen, or today: the one of the grid that Tab would reach. */
function focusDay(event: Event): void {
  const content = event.currentTarget as HTMLElement
  const day = content.querySelector<HTMLElement>('[role="grid"] button[tabindex="0"]')
  if (!day) return
  event.preventDefault()
  day.focus()
}

/** A day of the calendar, in French, weeks from Monday. Days are texts: no time zone can move them. */
export function DatePicker({
  label,
  hint,
  error,
  optional,
  hideLabel,
  value,
  onChange,
  today,
  min,
  max,
  className,
  ref,
}: DatePickerProps) {
  const [open, setOpen] = useState(false)
  const selected = value ? toLocalDate(value) : undefined
  const first = min ? toLocalDate(min) : undefined
  const last = max ? toLocalDate(max) : undefined
  return (
    <FormField {...{ label, hint, error, optional, hideLabel, className }}>
      {(control) => (
        <Popover.Root open={open} onOpenChange={setOpen}>
          <Popover.Trigger
            ref={ref}
            {...control}
            className={classNames(controlClass, 'flex items-center justify-between text-left')}
          >
            <span className={value ? 'first-letter:uppercase' : 'text-ink-soft'}>
              {value ? formatCalendarDay(value, 'full') : 'Choisir un jour'}
            </span>
            <CalendarDays aria-hidden="true" className="size-5 shrink-0 text-ink-soft" />
          </Popover.Trigger>
          <Popover.Portal>
            <Popover.Content
              align="start"
              sideOffset={6}
              collisionPadding={8}
              onOpenAutoFocus={focusDay}
              className="z-50 rounded-card border border-line bg-surface p-3 text-ink shadow-soft"
            >
              <DayPicker
                mode="single"
                locale={fr}
                weekStartsOn={1}
                required
                selected={selected}
                today={toLocalDate(today)}
                defaultMonth={selected ?? laterOf(first, toLocalDate(today))}
                startMonth={first}
                endMonth={last}
                captionLayout="dropdown"
                disabled={[
                  ...(first ? [{ before: first }] : []),
                  ...(last ? [{ after: last }] : []),
                ]}
                onSelect={(day) => {
                  onChange(fromLocalDate(day))
                  setOpen(false)
                }}
                components={{ Chevron }}
                classNames={DAY_PICKER_CLASSES}
              />
            </Popover.Content>
          </Popover.Portal>
        </Popover.Root>
      )}
    </FormField>
  )
}

/** Where one begins to look: today, unless only later days may be chosen. */
function laterOf(first: Date | undefined, today: Date): Date {
  return first && first > today ? first : today
}

function Chevron({ orientation }: { orientation?: 'left' | 'right' | 'up' | 'down' }) {
  if (orientation === 'left') return <ChevronLeft aria-hidden="true" className="size-5" />
  if (orientation === 'right') return <ChevronRight aria-hidden="true" className="size-5" />
  return <ChevronDown aria-hidden="true" className="size-4" />
}

const DAY_PICKER_CLASSES = {
  root: 'relative',
  nav: 'absolute top-0 right-0 flex',
  button_previous:
    'inline-flex size-11 items-center justify-center rounded-field hover:bg-sunken aria-disabled:opacity-40',
  button_next:
    'inline-flex size-11 items-center justify-center rounded-field hover:bg-sunken aria-disabled:opacity-40',
  month_caption: 'flex h-11 items-center pr-24',
  dropdowns: 'flex gap-2 font-semibold',
  dropdown_root: 'relative rounded-md has-focus-visible:outline-3 has-focus-visible:outline-focus',
  dropdown: 'absolute inset-0 size-full cursor-pointer opacity-0',
  caption_label:
    'inline-flex h-11 items-center px-1 capitalize underline decoration-dotted underline-offset-4',
  month_grid: 'mt-1 border-collapse',
  weekday: 'h-9 w-[min(2.75rem,12.5vw)] font-normal text-ink-soft text-sm',
  day: 'p-0 text-center',
  // Seven of them fit on a phone of 320 px.
  day_button:
    'tabular-digits h-11 w-[min(2.75rem,12.5vw)] rounded-full hover:bg-sunken disabled:pointer-events-none',
  selected:
    '[&>button]:bg-wax [&>button]:text-on-wax [&>button]:font-semibold [&>button]:hover:bg-wax-hover',
  today: '[&>button]:font-bold [&>button]:underline [&>button]:underline-offset-4',
  outside: 'opacity-40',
  disabled: 'opacity-35',
}
