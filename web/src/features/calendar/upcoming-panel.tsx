import { useQuery } from '@tanstack/react-query'
import { memo, useMemo } from 'react'
import { Link } from 'react-router'
import { formatCalendarDay, formatDayDistance } from '#web/lib/dates.ts'
import { counted } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import { Skeleton } from '#web/ui/loading.tsx'
import { QueryFailure } from '#web/ui/notice.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { eventsQuery, UPCOMING_SHOWN, upcomingQuery } from './calendar.queries.ts'
import { KIND_LABELS, nextEntries, type UpcomingEntry } from './day-entries.ts'
import { KindIcon } from './kind-icon.tsx'

interface UpcomingPanelProps {
  today: string
  onDay: (day: string) => void
}

export const UpcomingPanel = memo(function UpcomingPanel({ today, onDay }: UpcomingPanelProps) {
  const events = useQuery(eventsQuery)
  const upcoming = useQuery(upcomingQuery())
  const next = useMemo(
    () => nextEntries(events.data?.events ?? [], upcoming.data?.next ?? [], today, UPCOMING_SHOWN),
    [events.data, upcoming.data, today],
  )
  const isPending = events.isPending || upcoming.isPending
  const count = upcoming.data?.count ?? 0
  return (
    <Panel title="À venir">
      {upcoming.error && !upcoming.data && (
        <QueryFailure
          query={upcoming}
          title="Ce qui s’ouvre bientôt n’a pas pu être chargé"
          className="mb-4"
        />
      )}
      {isPending && next.length === 0 && <Places />}
      {!isPending && next.length === 0 && !upcoming.error && (
        <p className="text-ink-soft">
          Rien d’annoncé pour l’instant. Les anniversaires que vous ajoutez apparaissent ici.
        </p>
      )}
      <ul className="-my-1.5 flex flex-col divide-y divide-line">
        {next.map(({ day, entry }) => (
          <li key={entry.id}>
            <UpcomingLine upcoming={{ day, entry }} today={today} onDay={onDay} />
          </li>
        ))}
      </ul>
      {count > 0 && (
        <p className="mt-4 text-ink-soft text-sm">
          {counted(count, 'ouverture à venir', 'ouvertures à venir')} dans votre cercle.
        </p>
      )}
    </Panel>
  )
})

interface UpcomingLineProps extends UpcomingPanelProps {
  upcoming: UpcomingEntry
}

const lineClass =
  'flex w-full min-h-14 items-center gap-3 rounded-field py-2 text-left hover:bg-sunken'

function UpcomingLine({ upcoming: { day, entry }, today, onDay }: UpcomingLineProps) {
  const content = (
    <>
      <DayLeaf day={day} />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-semibold leading-snug">{entry.title}</span>
        <span className="flex items-center gap-1.5 text-ink-soft text-sm">
          <KindIcon kind={entry.kind} className="size-3.5" />
          <span className="truncate first-letter:uppercase">
            {formatDayDistance(today, day)}, {formatKind(entry)}
          </span>
        </span>
      </span>
    </>
  )
  if ('event' in entry) {
    return (
      <button type="button" className={lineClass} onClick={() => onDay(day)}>
        {content}
      </button>
    )
  }
  const { kind, id } = entry.reveal
  return (
    <Link to={kind === 'sound' ? paths.sounds : paths.revelation(id)} className={lineClass}>
      {content}
    </Link>
  )
}

/** The number of the day over its month. */
function DayLeaf({ day }: { day: string }) {
  return (
    <span className="flex w-11 shrink-0 flex-col items-center rounded-field border border-line bg-ground py-1 leading-none">
      <span className="tabular-digits font-bold text-lg leading-tight">{Number(day.slice(8))}</span>
      <span className="text-[0.7rem] text-ink-soft">{formatCalendarDay(day, 'shortMonth')}</span>
    </span>
  )
}

function formatKind(entry: UpcomingEntry['entry']): string {
  return 'event' in entry
    ? KIND_LABELS[entry.kind].toLocaleLowerCase('fr')
    : `de @${entry.reveal.author_pseudo}`
}

function Places() {
  return (
    <div role="status" className="flex flex-col gap-3">
      <span className="sr-only">Chargement de ce qui vient</span>
      {[1, 2, 3].map((place) => (
        <Skeleton key={place} className="h-12" />
      ))}
    </div>
  )
}
