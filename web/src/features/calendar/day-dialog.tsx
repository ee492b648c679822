import { CalendarPlus, Mic, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import type { CalendarEvent } from '#contract/calendar.ts'
import { timeAt } from '#contract/zoned-time.ts'
import { personTimeZone } from '#web/features/revelations/reveal-moment.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { formatCalendarDay } from '#web/lib/dates.ts'
import { paths } from '#web/lib/paths.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { type DatedReveal, useDeleteEvent } from './calendar.queries.ts'
import { type Entry, isYearly, TYPE_LABELS } from './day-entries.ts'
import { KindIcon } from './kind-icon.tsx'

interface DayDialogProps {
  day: string
  entries: readonly Entry[]
  isPending: boolean
  isComplete: boolean
  onAdd: () => void
  onClose: () => void
  returnTo: () => HTMLElement | null | undefined
}

export function DayDialog(props: DayDialogProps) {
  const { day, entries, isPending, isComplete, onAdd, onClose, returnTo } = props
  const [leaving, setLeaving] = useState<CalendarEvent>()
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={capitalised(formatCalendarDay(day, 'full'))}
      returnTo={returnTo}
      footer={
        <Button icon={<CalendarPlus aria-hidden="true" className="size-5" />} onClick={onAdd}>
          Ajouter un événement
        </Button>
      }
    >
      <ul className="mt-2 flex flex-col">
        {entries.map((entry) =>
          'event' in entry ? (
            <EventRow key={entry.id} event={entry.event} onDelete={() => setLeaving(entry.event)} />
          ) : (
            <RevealRow key={entry.id} reveal={entry.reveal} />
          ),
        )}
      </ul>
      {isPending && (
        <div role="status" className="py-2">
          <span className="sr-only">Chargement des révélations de ce jour</span>
          <Skeleton className="h-14" />
        </div>
      )}
      {!isPending && !isComplete && (
        <Notice tone="warning" className="mt-2">
          Tout n’a pas pu être chargé&#8239;: ce jour compte peut-être d’autres événements.
        </Notice>
      )}
      {isComplete && entries.length === 0 && (
        <p className="py-4 text-ink-soft">Il n’y a rien ce jour-là.</p>
      )}
      {leaving && <DeleteDialog event={leaving} onClose={() => setLeaving(undefined)} />}
    </Dialog>
  )
}

function DeleteDialog({ event, onClose }: { event: CalendarEvent; onClose: () => void }) {
  const { mutate: remove, isPending, error } = useDeleteEvent(onClose)
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Supprimer «\u202F${event.title}\u202F»\u202F?`}
      description={
        isYearly(event) ? 'Il ne reviendra plus, cette année ni les suivantes.' : undefined
      }
      confirmLabel="Supprimer"
      busy={isPending}
      error={error ? errorSentence(error, 'L’événement n’a pas pu être supprimé') : undefined}
      onConfirm={() => remove(event.id)}
      returnTo={firstControlOfDialog}
    />
  )
}

/** The row may be gone, so that the dialog takes the focus. */
function firstControlOfDialog(): HTMLElement | null {
  return document.querySelector<HTMLElement>('[role=dialog] button')
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

interface EventRowProps {
  event: CalendarEvent
  onDelete: () => void
}

function EventRow({ event, onDelete }: EventRowProps) {
  const { title, type, description } = event
  return (
    <li className="flex items-start gap-3 py-3">
      <KindIcon kind={type} className="mt-1 size-5" />
      <div className="min-w-0 flex-1">
        <p className="font-semibold leading-snug [overflow-wrap:anywhere]">{title}</p>
        <p className="text-ink-soft text-sm">
          {TYPE_LABELS[type]}
          {isYearly(event) && ', chaque année'}
        </p>
        {description && (
          <p className="mt-1 whitespace-pre-line [overflow-wrap:anywhere]">{description}</p>
        )}
      </div>
      <IconButton
        label={`Supprimer ${title}`}
        icon={<Trash2 aria-hidden="true" className="size-5" />}
        className="-mr-2"
        onClick={onDelete}
      />
    </li>
  )
}

function RevealRow({ reveal }: { reveal: DatedReveal }) {
  const { kind, id, title, is_revealed, author_pseudo } = reveal
  const icon = is_revealed ? 'opened' : 'sealed'
  return (
    <li className={is_revealed ? 'theme-paper py-1.5' : 'theme-night py-1.5'}>
      <Link
        to={kind === 'sound' ? paths.sounds : paths.revelation(id)}
        className="flex min-h-14 items-start gap-3 rounded-field border border-line bg-surface px-3 py-2.5 text-ink hover:bg-sunken"
      >
        <KindIcon kind={icon} className="mt-1 size-5" />
        <span className="min-w-0 flex-1">
          <span className="block font-semibold leading-snug [overflow-wrap:anywhere]">{title}</span>
          <span className="block text-ink-soft text-sm">
            {kind === 'sound' && (
              <>
                <Mic aria-hidden="true" className="-mt-0.5 mr-1 inline size-3.5" />
                Message vocal de{' '}
              </>
            )}
            @{author_pseudo}, {formatOpening(reveal)}
          </span>
        </span>
      </Link>
    </li>
  )
}

/** « s’ouvre à 18:30 », « ouverte à 00:00 »: as the dates of letters say it. */
function formatOpening({ kind, is_revealed, reveal_date }: DatedReveal): string {
  const time = timeAt(new Date(reveal_date), personTimeZone())
  if (!is_revealed) return `s’ouvre à ${time}`
  return `${kind === 'sound' ? 'ouvert' : 'ouverte'} à ${time}`
}
