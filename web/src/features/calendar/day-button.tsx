import { createContext, useContext, useEffect, useRef } from 'react'
import type { DayButtonProps } from 'react-day-picker'
import { counted } from '#web/lib/counts.ts'
import { classNames } from '#web/ui/class-names.ts'
import { sayDay } from './calendar-months.ts'
import type { Entry } from './day-entries.ts'
import { KindIcon } from './kind-icon.tsx'

/** What each day of the grid holds. */
export const DayEntriesContext = createContext<ReadonlyMap<string, Entry[]>>(new Map())

/** What fits in a day; one place less when it must say how many more there are. */
const PLACES = 3

/** A day of the grid: its number and what it holds, as small drawings on a phone and as titles where there is room. */
export function DayButton({
  day,
  modifiers,
  children: number,
  className,
  ...button
}: DayButtonProps) {
  const entries = useContext(DayEntriesContext).get(day.isoDate) ?? []
  const shown = entries.length > PLACES ? entries.slice(0, PLACES - 1) : entries
  const more = entries.length - shown.length
  const self = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (modifiers.focused) self.current?.focus()
  }, [modifiers.focused])
  return (
    <button
      {...button}
      ref={self}
      aria-label={labelOf(day.isoDate, modifiers.today === true, entries.length)}
      aria-current={modifiers.today ? 'date' : undefined}
      className={classNames(
        'flex h-full min-h-15 w-full min-w-0 flex-col items-center gap-1 rounded-field py-1 text-left hover:bg-sunken sm:min-h-26 sm:items-stretch sm:px-1',
        'focus-visible:-outline-offset-3',
        modifiers.selected && 'ring-2 ring-line-strong ring-inset',
        modifiers.outside && 'text-ink-soft',
      )}
    >
      <span
        className={classNames(
          'digits inline-flex size-7 items-center justify-center rounded-full text-[0.95rem] leading-none',
          modifiers.today && 'bg-wax font-bold text-on-wax',
        )}
      >
        {number}
      </span>
      <span className="flex w-full flex-wrap items-center justify-center gap-px sm:flex-col sm:gap-0.5 sm:flex-nowrap sm:items-stretch">
        {shown.map((entry) => (
          <Mark key={entry.id} entry={entry} />
        ))}
        {more > 0 && (
          <span className="digits font-semibold text-[0.68rem] text-ink-soft leading-none sm:px-1.5 sm:pt-0.5 sm:text-xs">
            +{more}
            <span className="max-sm:hidden"> autres</span>
          </span>
        )}
      </span>
    </button>
  )
}

const GROUNDS: Partial<Record<Entry['kind'], string>> = {
  sealed: 'sky-night bg-surface',
  opened: 'sky-paper bg-surface',
}

function Mark({ entry: { kind, title } }: { entry: Entry }) {
  return (
    <span
      className={classNames(
        'inline-flex min-w-0 items-center gap-1 rounded-full text-ink max-sm:size-3.5 max-sm:justify-center',
        'sm:rounded-md sm:border sm:border-line sm:px-1 sm:py-0.5',
        GROUNDS[kind] ?? 'sm:bg-surface',
      )}
    >
      <KindIcon kind={kind} className={GROUNDS[kind] ? 'size-2.5 sm:size-3' : 'size-3'} />
      <span className="truncate text-xs leading-tight max-sm:hidden">{title}</span>
    </span>
  )
}

function labelOf(day: string, isToday: boolean, count: number): string {
  const held = count > 0 ? `, ${counted(count, 'événement', 'événements')}` : ''
  return `${sayDay(day)}${isToday ? ', aujourd’hui' : ''}${held}`
}
