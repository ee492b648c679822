import { zodResolver } from '@hookform/resolvers/zod'
import { useId } from 'react'
import { Controller, useForm } from 'react-hook-form'
import type * as z from 'zod/mini'
import {
  EVENT_DESCRIPTION_MAX_LENGTH,
  EVENT_TYPES,
  type EventInput,
  eventInputSchema,
} from '#contract/calendar.ts'
import { dayFromNow, personTimeZone } from '#web/features/revelations/reveal-moment.ts'
import { errorSentence, fieldErrorsOf } from '#web/lib/api-client.ts'
import { Button } from '#web/ui/button.tsx'
import { ChoiceTiles } from '#web/ui/choice-tiles.tsx'
import { DatePicker } from '#web/ui/date-picker.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useCreateEvent } from './calendar.queries.ts'
import { isYearly, TYPE_LABELS } from './day-entries.ts'
import { KindIcon } from './kind-icon.tsx'

const FIELDS = ['title', 'date', 'type', 'description'] as const
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
  const { mutate: create, isPending, error } = useCreateEvent()
  const form = useForm<EventInput, unknown, z.output<typeof eventInputSchema>>({
    resolver: zodResolver(eventInputSchema),
    mode: 'onTouched',
    defaultValues: draft,
  })
  const { register, control, handleSubmit, watch, getValues, setError, formState } = form
  const { errors } = formState
  const { title, date, type, description } = watch()
  const isComplete = title.trim() !== '' && date !== ''
  const save = handleSubmit((input) =>
    create(input, {
      onSuccess: (event) => onAdded(event.date),
      onError: (failure) => {
        for (const [index, [name, message]] of fieldErrorsOf(failure, FIELDS).entries()) {
          setError(name, { message }, { shouldFocus: index === 0 })
        }
      },
    }),
  )
  return (
    <Dialog
      open
      onOpenChange={() => onClose(getValues())}
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
      <form id={formId} noValidate className="mt-3 flex flex-col gap-5" onSubmit={save}>
        <TextField
          label="Titre"
          placeholder="Anniversaire de Mamie"
          autoComplete="off"
          error={errors.title?.message}
          {...register('title')}
        />
        <Controller
          control={control}
          name="date"
          render={({ field }) => (
            <DatePicker
              label="Date"
              today={dayFromNow(0, personTimeZone())}
              min={min}
              max={max}
              value={field.value}
              onChange={field.onChange}
              error={errors.date?.message}
            />
          )}
        />
        <div>
          <Controller
            control={control}
            name="type"
            render={({ field }) => (
              <ChoiceTiles
                legend="Type"
                name="type"
                choices={TYPES}
                value={field.value}
                onChange={field.onChange}
                error={errors.type?.message}
              />
            )}
          />
          <p role="status" className="mt-2 text-ink-soft text-sm">
            {recurrenceHint({ type, date })}
          </p>
        </div>
        <TextArea
          label="Description"
          optional
          rows={2}
          limit={EVENT_DESCRIPTION_MAX_LENGTH}
          length={description?.length ?? 0}
          error={errors.description?.message}
          {...register('description')}
        />
        {error && fieldErrorsOf(error, FIELDS).length === 0 && (
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
