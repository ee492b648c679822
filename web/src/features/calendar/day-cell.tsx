import { memo } from 'react'
import { pluralize } from '#contract/plural.ts'
import { formatCalendarDay } from '#web/lib/dates.ts'
import { counted } from '#web/lib/format.ts'
import { classNames } from '#web/ui/class-names.ts'
import type { Entry } from './day-entries.ts'
import { KindIcon } from './kind-icon.tsx'

/** How many entries fit in a day; one less when the number of others is shown. */
const PLACES = 3

interface DayCellProps {
  day: string
  entries: readonly Entry[]
  isToday: boolean
  isSelected: boolean
  /** Of the month before or after. */
  isOutside: boolean
  /** The one day in the tab order. */
  isStop: boolean
}

/** A day of the grid: its number and its entries, as icons on a phone and as titles on wide screens. */
export const DayCell = memo(function DayCell(props: DayCellProps) {
  const { day, entries, isToday, isSelected, isOutside, isStop } = props
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: its button is what takes the focus
    <td
      data-day={day}
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table is how a grid is drawn
      role="gridcell"
      aria-selected={isSelected}
      className="p-px sm:p-0.5"
    >
      <button
        type="button"
        tabIndex={isStop ? 0 : -1}
        aria-label={labelOf(day, isToday, entries.length)}
        aria-current={isToday ? 'date' : undefined}
        className={classNames(
          // Of fixed height and contained, so that a change in a day moves nothing around it.
          'flex h-15 w-full contain-strict min-w-0 flex-col items-center gap-1 rounded-field py-1 text-left hover:bg-sunken sm:h-27 sm:items-stretch sm:px-1',
          'focus-visible:-outline-offset-3',
          isSelected && 'ring-2 ring-line-strong ring-inset',
          isOutside && 'text-ink-soft',
        )}
      >
        <span
          className={classNames(
            'tabular-digits inline-flex size-7 items-center justify-center rounded-full text-[0.95rem] leading-none',
            isToday && 'bg-wax font-bold text-on-wax',
          )}
        >
          {Number(day.slice(8))}
        </span>
        {entries.length > 0 && <Marks entries={entries} />}
      </button>
    </td>
  )
}, isSameCell)

function Marks({ entries }: { entries: readonly Entry[] }) {
  const shown = shownOf(entries)
  const more = entries.length - shown.length
  return (
    <span className="flex w-full flex-wrap items-center justify-center gap-px sm:flex-col sm:flex-nowrap sm:items-stretch sm:gap-0.5">
      {shown.map((entry, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the next month’s marks take these over, which is much faster
        <Mark key={place} entry={entry} lines={entries.length < PLACES ? 2 : 1} />
      ))}
      {more > 0 && (
        <span className="tabular-digits font-semibold text-[0.68rem] text-ink-soft leading-none sm:px-1.5 sm:pt-0.5 sm:text-xs">
          +{more}
          <span className="max-sm:hidden"> {pluralize(more, 'autre', 'autres')}</span>
        </span>
      )}
    </span>
  )
}

/** The first entries; a sealed one is always among them. */
function shownOf(entries: readonly Entry[]): readonly Entry[] {
  if (entries.length <= PLACES) return entries
  const first = entries.slice(0, PLACES - 1)
  const sealed = entries.find(({ kind }) => kind === 'sealed')
  return !sealed || first.includes(sealed) ? first : [...first.slice(0, -1), sealed]
}

const GROUNDS: Partial<Record<Entry['kind'], string>> = {
  sealed: 'theme-night bg-surface',
  opened: 'theme-paper bg-surface',
}

interface MarkProps {
  entry: Entry
  /** How many its title may take. */
  lines: 1 | 2
}

function Mark({ entry: { kind, title }, lines }: MarkProps) {
  return (
    <span
      className={classNames(
        'inline-flex min-w-0 items-center gap-1 rounded-full text-ink max-sm:size-3.5 max-sm:justify-center',
        'sm:items-start sm:rounded-md sm:border sm:border-line sm:px-1 sm:py-0.5',
        GROUNDS[kind] ?? 'sm:bg-surface',
      )}
    >
      <KindIcon
        kind={kind}
        className={GROUNDS[kind] ? 'size-2.5 sm:mt-px sm:size-3' : 'size-3 sm:mt-px'}
      />
      <span
        className={classNames(
          'min-w-0 text-xs leading-tight max-sm:hidden',
          lines === 1 ? 'truncate' : 'line-clamp-2',
        )}
      >
        {title}
      </span>
    </span>
  )
}

function labelOf(day: string, isToday: boolean, count: number): string {
  const contents = count > 0 ? `, ${counted(count, 'événement', 'événements')}` : ''
  return `${formatCalendarDay(day, 'full')}${isToday ? ', aujourd’hui' : ''}${contents}`
}

/** A change of one day renders that day only. */
function isSameCell(former: DayCellProps, next: DayCellProps): boolean {
  return (
    former.day === next.day &&
    former.isToday === next.isToday &&
    former.isSelected === next.isSelected &&
    former.isOutside === next.isOutside &&
    former.isStop === next.isStop &&
    former.entries.length === next.entries.length &&
    former.entries.every(({ id, kind, title }, place) => {
      const other = next.entries[place]
      return other?.id === id && other.kind === kind && other.title === title
    })
  )
}
