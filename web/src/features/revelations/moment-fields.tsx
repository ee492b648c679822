import type { ReactNode } from 'react'
import { Controller, type UseFormReturn, useWatch } from 'react-hook-form'
import { DatePicker } from '#web/ui/date-picker.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { dayFromNow, furthestDay, instantOfMoment, isPastMoment } from './reveal-moment.ts'

interface MomentDraft {
  day: string
  time: string
}

interface MomentFieldsProps<Draft extends MomentDraft> {
  form: UseFormReturn<Draft>
  timeZone: string
  firstDay: string
  /** The sentence about the chosen instant. */
  inWords: (instant: Date, isPast: boolean) => ReactNode
}

/** The day, an optional hour, and the instant they are, in words. */
export function MomentFields<Draft extends MomentDraft>({
  timeZone,
  firstDay,
  inWords,
  ...props
}: MomentFieldsProps<Draft>) {
  // The form may have other fields; these two are there.
  const form = props.form as unknown as UseFormReturn<MomentDraft>
  const { errors } = form.formState
  const [day, time] = useWatch({ control: form.control, name: ['day', 'time'] })
  const moment = { day, time }
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
              today={dayFromNow(0, timeZone)}
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
          className="tabular-digits"
          {...form.register('time')}
        />
      </div>
      <SuggestedDays
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
        {day &&
          !errors.day &&
          inWords(instantOfMoment(moment, timeZone), isPastMoment(moment, timeZone))}
      </div>
    </>
  )
}

const SUGGESTED_DAYS = [
  { label: 'Demain', months: 0, days: 1 },
  { label: 'Dans un mois', months: 1, days: 0 },
  { label: 'Dans un an', months: 12, days: 0 },
  { label: 'Dans dix ans', months: 120, days: 0 },
]

interface SuggestedDaysProps {
  timeZone: string
  onChoose: (day: string) => void
}

/** Buttons for the days that people choose most. */
function SuggestedDays({ timeZone, onChoose }: SuggestedDaysProps) {
  return (
    <ul aria-label="Dates proposées" className="-mt-2 flex flex-wrap gap-2">
      {SUGGESTED_DAYS.map(({ label, months, days }) => (
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
