import { Controller, type UseFormReturn, useWatch } from 'react-hook-form'
import { instantInWords, zoneInWords } from '#contract/date-in-words.ts'
import { DatePicker } from '#web/ui/date-picker.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { dayFromNow, furthestDay, instantOfMoment, isPastMoment } from './reveal-moment.ts'
import type { RevelationDraft } from './revelation-draft.ts'

interface MomentFieldsProps {
  form: UseFormReturn<RevelationDraft>
  timeZone: string
  firstDay: string
}

/** The day, the hour if there is one, and the instant they make, in words. */
export function MomentFields({ form, timeZone, firstDay }: MomentFieldsProps) {
  const { errors } = form.formState
  const [day, time] = useWatch({ control: form.control, name: ['day', 'time'] })
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
              min={firstDay}
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
          form.setValue('day', chosen, {
            shouldDirty: true,
            shouldTouch: true,
            shouldValidate: true,
          })
        }
      />
      <div role="status">
        {day && !errors.day && <MomentInWords moment={{ day, time }} timeZone={timeZone} />}
      </div>
    </>
  )
}

const SHORT_WAYS = [
  { label: 'Demain', months: 0, days: 1 },
  { label: 'Dans un mois', months: 1, days: 0 },
  { label: 'Dans un an', months: 12, days: 0 },
  { label: 'Dans dix ans', months: 120, days: 0 },
]

interface ShortWaysProps {
  timeZone: string
  onChoose: (day: string) => void
}

/** The days people choose most, one touch away. */
export function ShortWays({ timeZone, onChoose }: ShortWaysProps) {
  return (
    <ul aria-label="Dates proposées" className="-mt-2 flex flex-wrap gap-2">
      {SHORT_WAYS.map(({ label, months, days }) => (
        <li key={label}>
          <button
            type="button"
            onClick={() => onChoose(dayFromNow(days, timeZone, months))}
            className="min-h-11 rounded-full border border-line-strong px-3.5 text-ink-soft text-sm hover:bg-sunken hover:text-ink"
          >
            {label}
          </button>
        </li>
      ))}
    </ul>
  )
}

interface MomentInWordsProps {
  moment: { day: string; time: string }
  timeZone: string
}

function MomentInWords({ moment, timeZone }: MomentInWordsProps) {
  if (isPastMoment(moment, timeZone)) {
    return (
      <Notice tone="warning" title="Elle sera dévoilée immédiatement">
        Cet instant est déjà passé ({zoneInWords(instantOfMoment(moment, timeZone), timeZone)}).
        Choisissez une heure à venir pour qu’elle reste scellée.
      </Notice>
    )
  }
  return (
    <p className="text-ink-soft">
      Elle s’ouvrira{' '}
      <strong className="text-ink">
        {instantInWords(instantOfMoment(moment, timeZone), timeZone)}
      </strong>
      .
    </p>
  )
}
