import { CalendarPlus } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { errorSentence } from '#web/lib/api-client.ts'
import { wantsLessMotion } from '#web/lib/motion.ts'
import { Button } from '#web/ui/button.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Legend } from './legend.tsx'
import { MonthGrid } from './month-grid.tsx'
import { MonthHeader } from './month-header.tsx'
import type { MonthContent } from './use-month.ts'
import { useSwipe } from './use-swipe.ts'

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

/** One month and the ways through it. */
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
        <LoadFailure
          title="Vos événements n’ont pas pu être chargés"
          isRetrying={events.isFetching}
          onRetry={events.refetch}
          className="mb-3"
        >
          {errorSentence(events.error, 'Erreur API')}
        </LoadFailure>
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

/** A month comes from where it lies in time; whoever wants less motion sees it at once. */
function useTurningSheet(month: string) {
  const sheet = useRef<HTMLDivElement>(null)
  const former = useRef(month)
  useEffect(() => {
    const from = month > former.current ? 1 : -1
    const isOther = month !== former.current
    former.current = month
    if (!isOther || wantsLessMotion()) return
    sheet.current?.animate?.([{ transform: `translateX(${from * 14}px)` }, { transform: 'none' }], {
      duration: TURN_MS,
      easing: 'cubic-bezier(0.22, 0.8, 0.3, 1)',
    })
  }, [month])
  return sheet
}
