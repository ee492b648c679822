import { Controller, type UseFormReturn, useWatch } from 'react-hook-form'
import { instantInWords, zoneInWords } from '#contract/date-in-words.ts'
import { REVEAL_MESSAGE_MAX_LENGTH } from '#contract/sounds.ts'
import { ShortWays } from '#web/features/revelations/moment-fields.tsx'
import {
  dayFromNow,
  furthestDay,
  instantOfMoment,
  isPastMoment,
} from '#web/features/revelations/reveal-moment.ts'
import { ChoiceTiles } from '#web/ui/choice-tiles.tsx'
import { DatePicker } from '#web/ui/date-picker.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
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
  const [day, time, message] = useWatch({
    control: form.control,
    name: ['day', 'time', 'reveal_message'],
  })
  return (
    <>
      <div className="grid gap-5 xs:grid-cols-[1fr_9rem]">
        <Controller
          control={form.control}
          name="day"
          render={({ field }) => (
            <DatePicker
              label="Date de révélation"
              value={field.value}
              onChange={field.onChange}
              min={dayFromNow(0, timeZone)}
              max={furthestDay(timeZone)}
              error={errors.day?.message}
            />
          )}
        />
        <TextField
          label="Heure"
          optional
          type="time"
          className="digits"
          {...form.register('time')}
        />
      </div>
      <ShortWays
        timeZone={timeZone}
        onChoose={(chosen) =>
          form.setValue('day', chosen, { shouldDirty: true, shouldValidate: true })
        }
      />
      <div role="status">
        {day && !errors.day && <MomentInWords moment={{ day, time }} timeZone={timeZone} />}
      </div>
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

interface MomentInWordsProps {
  moment: { day: string; time: string }
  timeZone: string
}

function MomentInWords({ moment, timeZone }: MomentInWordsProps) {
  const instant = instantOfMoment(moment, timeZone)
  if (isPastMoment(moment, timeZone)) {
    return (
      <Notice tone="warning" title="Il sera révélé maintenant">
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
