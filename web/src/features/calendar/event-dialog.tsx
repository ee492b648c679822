import { useId } from 'react'
import {
  EVENT_DESCRIPTION_MAX_LENGTH,
  EVENT_TYPES,
  type EventInput,
  eventInputSchema,
} from '#contract/calendar.ts'
import { dayFromNow, personTimeZone } from '#web/features/revelations/reveal-moment.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { useApiForm } from '#web/lib/forms.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { FormChoiceTiles, FormDatePicker, FormTextArea } from '#web/ui/form-controls.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useCreateEvent } from './calendar.queries.ts'
import { isYearly, TYPE_LABELS } from './day-entries.ts'
import { KindIcon } from './kind-icon.tsx'

const TYPES = EVENT_TYPES.map((value) => ({
  value,
  label: TYPE_LABELS[value],
  icon: <KindIcon kind={value} className="size-5" />,
}))

interface EventDialogProps {
  /** The unsaved draft of the last time, or the day. */
  draft: EventInput
  /** First and last day that may be chosen. */
  min: string
  max: string
  onAdded: (day: string) => void
  /** With the unsaved draft, unless it was cancelled. */
  onClose: (unsaved?: EventInput) => void
  returnTo: () => HTMLElement | null | undefined
}

export function EventDialog({ draft, min, max, onAdded, onClose, returnTo }: EventDialogProps) {
  const formId = useId()
  const { form, field, submit, isPending, error } = useApiForm({
    schema: eventInputSchema,
    defaultValues: draft,
    mutation: useCreateEvent(),
    inputOf: (input) => input,
    fields: ['title', 'date', 'type', 'description'],
    onSuccess: (event) => onAdded(event.date),
  })
  const { title, date, type } = form.watch()
  const isComplete = title.trim() !== '' && date !== ''
  return (
    <Dialog
      open
      onOpenChange={() => onClose(form.getValues())}
      title="Ajouter un événement"
      returnTo={returnTo}
      footer={
        <>
          <Button variant="secondary" onClick={() => onClose()}>
            Annuler
          </Button>
          <Button
            type="submit"
            form={formId}
            disabled={!isComplete}
            busy={isPending}
            busyLabel="Ajout"
          >
            Ajouter
          </Button>
        </>
      }
    >
      <form id={formId} noValidate className="mt-3 flex flex-col gap-5" onSubmit={submit}>
        <TextField
          label="Titre"
          placeholder="Anniversaire de Mamie"
          autoComplete="off"
          {...field('title')}
        />
        <FormDatePicker
          form={form}
          name="date"
          label="Date"
          today={dayFromNow(0, personTimeZone())}
          min={min}
          max={max}
        />
        <div>
          <FormChoiceTiles form={form} name="type" legend="Type" choices={TYPES} />
          <p role="status" className="mt-2 text-ink-soft text-sm">
            {recurrenceHint({ type, date })}
          </p>
        </div>
        <FormTextArea
          form={form}
          name="description"
          label="Description"
          optional
          rows={2}
          limit={EVENT_DESCRIPTION_MAX_LENGTH}
        />
        {error && (
          <Notice tone="error">
            {errorSentence(error, 'L’événement n’a pas pu être ajouté. Réessayez.')}
          </Notice>
        )}
      </form>
    </Dialog>
  )
}

function recurrenceHint({ type, date }: Pick<EventInput, 'type' | 'date'>): string {
  if (!isYearly({ type })) return 'Marqué une seule fois, à cette date.'
  const isLeapDay = date.endsWith('-02-29')
  return isLeapDay
    ? 'Revient chaque année, le 28 février quand il n’y a pas de 29.'
    : 'Revient chaque année à cette date.'
}
