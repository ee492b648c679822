import { CalendarPlus } from 'lucide-react'
import { useState } from 'react'
import type { CalendarEvent } from '#contract/calendar.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useDeleteEvent } from './calendar.queries.ts'
import { sayDay } from './calendar-months.ts'
import type { Entry } from './day-entries.ts'
import { EventRow, RevealRow } from './entry-row.tsx'
import { comesBack } from './event-days.ts'

interface DayDialogProps {
  day: string
  entries: readonly Entry[]
  /** More may be on its way. */
  isPending: boolean
  /** All of it is known. */
  isComplete: boolean
  onAdd: () => void
  onClose: () => void
  returnTo: () => HTMLElement | null | undefined
}

/** All that a day holds. */
export function DayDialog(props: DayDialogProps) {
  const { day, entries, isPending, isComplete, onAdd, onClose, returnTo } = props
  const [leaving, setLeaving] = useState<CalendarEvent>()
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={capitalised(sayDay(day))}
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
      title={`Supprimer «\u00A0${event.title}\u00A0»\u202F?`}
      description={
        comesBack(event) ? 'Il ne reviendra plus, cette année ni les suivantes.' : undefined
      }
      confirmLabel="Supprimer"
      busy={isPending}
      error={error ? errorSentence(error, 'L’événement n’a pas pu être supprimé') : undefined}
      onConfirm={() => remove(event.id)}
      returnTo={firstControlOfDialog}
    />
  )
}

/** The row that asked is gone, or still there: the window that holds it takes the focus either way. */
function firstControlOfDialog(): HTMLElement | null {
  return document.querySelector<HTMLElement>('[role=dialog] button')
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
