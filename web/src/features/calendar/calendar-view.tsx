import { useCallback, useEffect, useRef, useState } from 'react'
import type { EventInput } from '#contract/calendar.ts'
import { dayAt } from '#contract/zoned-time.ts'
import { personTimeZone } from '#web/features/revelations/reveal-moment.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { serverNow, useTicking } from '#web/lib/clock.ts'
import { formatCalendarDay } from '#web/lib/dates.ts'
import { LoadFailure } from '#web/ui/notice.tsx'
import { showToast } from '#web/ui/toasts.tsx'
import { monthOf } from './calendar-months.ts'
import { DayDialog } from './day-dialog.tsx'
import { EventDialog } from './event-dialog.tsx'
import { FeedPanel } from './feed-panel.tsx'
import { useLegacyEvents } from './legacy-events.ts'
import { MonthPanel } from './month-panel.tsx'
import { UpcomingPanel } from './upcoming-panel.tsx'
import { useMonth, useShownMonth } from './use-month.ts'

/** The calendar: reveals of the circle beside one's own events. */
export function CalendarView() {
  // Reading the zone of the browser is slow, and months change fast.
  const [timeZone] = useState(personTimeZone)
  const today = useTicking(useCallback(() => todayIn(timeZone), [timeZone]))
  const { month, years, showMonth, turnTo, turnBy } = useShownMonth(today)
  const [selected, setSelected] = useState<string>()
  const [open, setOpen] = useState<'day' | 'event'>()
  const [draft, setDraft] = useState<EventInput>()
  const content = useMonth(month, timeZone)
  const legacyEvents = useLegacyEvents()
  const focus = useFocusOfDay(selected)

  const openEvent = useCallback((day?: string) => {
    setDraft((draft = BLANK) => ({ ...draft, date: day ?? draft.date }))
    setOpen('event')
  }, [])
  const { days, isComplete } = content
  const openDay = useCallback(
    (day: string) => {
      setSelected(day)
      focus.claim()
      if (!isComplete || days.has(day)) return setOpen('day')
      const [, monthNumber, number] = day.split('-').map(Number)
      showToast('info', `Aucun événement le ${number}/${monthNumber}`, {
        label: 'Ajouter',
        onAccept: () => openEvent(day),
      })
    },
    [days, isComplete, openEvent, focus.claim],
  )
  const goToDay = useCallback(
    (day: string) => {
      showMonth(monthOf(day))
      setSelected(day)
    },
    [showMonth],
  )
  const openUpcoming = useCallback(
    (day: string) => {
      goToDay(day)
      focus.release()
      setOpen('day')
    },
    [goToDay, focus.release],
  )
  const close = (unsaved?: EventInput) => {
    setDraft(unsaved)
    setOpen(undefined)
  }
  return (
    <>
      {legacyEvents.error && (
        <LoadFailure
          title="Des événements restent à reprendre"
          isRetrying={legacyEvents.isPending}
          onRetry={legacyEvents.retry}
          className="mb-4"
        >
          {errorSentence(legacyEvents.error, 'Ceux que ce navigateur gardait y sont toujours.')}
        </LoadFailure>
      )}
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_18rem]">
        <div ref={focus.container} className="min-w-0">
          <MonthPanel
            month={month}
            today={today}
            selected={selected}
            years={years}
            content={content}
            onMonth={turnTo}
            onTurn={turnBy}
            onDay={openDay}
            onAdd={() => {
              focus.release()
              openEvent(selected && monthOf(selected) === month ? selected : undefined)
            }}
          />
        </div>
        <div className="grid min-w-0 items-start gap-5 sm:grid-cols-2 lg:grid-cols-1">
          <UpcomingPanel today={today} onDay={openUpcoming} />
          <FeedPanel />
        </div>
      </div>
      {open === 'day' && selected && (
        <DayDialog
          day={selected}
          entries={days.get(selected) ?? []}
          isPending={content.isPending}
          isComplete={isComplete}
          onAdd={() => openEvent(selected)}
          onClose={() => close(draft)}
          returnTo={focus.find}
        />
      )}
      {open === 'event' && draft && (
        <EventDialog
          draft={draft}
          min={`${years[0]}-01-01`}
          max={`${years.at(-1)}-12-31`}
          onAdded={(day) => {
            focus.claim()
            goToDay(day)
            close()
            showToast('success', `Événement ajouté le ${formatCalendarDay(day, 'withoutYear')}`)
          }}
          onClose={close}
          returnTo={focus.find}
        />
      )}
    </>
  )
}

const BLANK: EventInput = { title: '', date: '', type: 'birthday', description: '' }

function todayIn(timeZone: string): string {
  return dayAt(new Date(serverNow()), timeZone)
}

/** Where the focus goes when a dialog closes: to its day, once a day has claimed it. */
function useFocusOfDay(day: string | undefined) {
  const container = useRef<HTMLDivElement>(null)
  const isClaimed = useRef(false)
  const shown = useRef(day)
  useEffect(() => {
    shown.current = day
  }, [day])
  const claim = useCallback(() => {
    isClaimed.current = true
  }, [])
  const release = useCallback(() => {
    isClaimed.current = false
  }, [])
  const find = useCallback(() => {
    if (!isClaimed.current) return undefined
    return container.current?.querySelector<HTMLElement>(`[data-day="${shown.current}"] button`)
  }, [])
  return { container, claim, release, find }
}
