import { type UseFormReturn, useWatch } from 'react-hook-form'
import { instantInWords, zoneInWords } from '#contract/date-in-words.ts'
import { REVEAL_MESSAGE_MAX_LENGTH } from '#contract/sounds.ts'
import { MomentFields } from '#web/features/revelations/moment-fields.tsx'
import { dayFromNow } from '#web/features/revelations/reveal-moment.ts'
import { ChoiceTiles } from '#web/ui/choice-tiles.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import type { SoundDraft } from './sound-draft.ts'

const WHEN = [
  { value: 'now', label: 'Maintenant' },
  { value: 'later', label: 'Plus tard' },
] as const

interface ScheduleFieldsProps {
  form: UseFormReturn<SoundDraft>
  timeZone: string
}

/** Heard at once, or sealed until an instant, with a word for those who wait. */
export function ScheduleFields({ form, timeZone }: ScheduleFieldsProps) {
  const isScheduled = useWatch({ control: form.control, name: 'is_scheduled' })
  return (
    <div className="flex flex-col gap-5">
      <ChoiceTiles
        legend="Quand pourra-t-on l’écouter&nbsp;?"
        name="when"
        layout="row"
        choices={WHEN}
        value={isScheduled ? 'later' : 'now'}
        onChange={(when) =>
          form.setValue('is_scheduled', when === 'later', {
            shouldDirty: true,
            shouldValidate: true,
          })
        }
      />
      {isScheduled && <LaterFields form={form} timeZone={timeZone} />}
    </div>
  )
}

function LaterFields({ form, timeZone }: ScheduleFieldsProps) {
  const { errors } = form.formState
  const message = useWatch({ control: form.control, name: 'reveal_message' })
  return (
    <>
      <MomentFields
        form={form}
        timeZone={timeZone}
        firstDay={dayFromNow(0, timeZone)}
        inWords={(instant, isPast) => <OpensIn {...{ instant, isPast, timeZone }} />}
      />
      <TextArea
        label="Mot d’attente"
        hint="Ceux qui attendent le lisent à la place de votre message."
        optional
        rows={2}
        limit={REVEAL_MESSAGE_MAX_LENGTH}
        length={message.length}
        error={errors.reveal_message?.message}
        {...form.register('reveal_message')}
      />
    </>
  )
}

interface OpensInProps {
  instant: Date
  isPast: boolean
  timeZone: string
}

function OpensIn({ instant, isPast, timeZone }: OpensInProps) {
  if (isPast) {
    return (
      <Notice tone="warning" title="Il sera dévoilé immédiatement">
        Cet instant est déjà passé ({zoneInWords(instant, timeZone)}). Choisissez une heure à venir
        pour qu’il reste scellé.
      </Notice>
    )
  }
  return (
    <p className="text-ink-soft">
      Il s’ouvrira <strong className="text-ink">{instantInWords(instant, timeZone)}</strong>. D’ici
      là, personne ne peut l’écouter, pas même vous.
    </p>
  )
}
