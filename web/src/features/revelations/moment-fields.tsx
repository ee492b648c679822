import { type UseFormReturn, useWatch } from 'react-hook-form'
import { instantInWords, zoneInWords } from '#contract/date-in-words.ts'
import { fieldProps } from '#web/lib/forms.ts'
import { FormDatePicker } from '#web/ui/form-controls.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { MomentPhrase, type PhraseDetails } from './moment-phrase.tsx'
import {
  dayFromNow,
  furthestDay,
  instantOfMoment,
  isPastMoment,
  type Moment,
} from './reveal-moment.ts'

/** The sentences about the chosen instant. */
export interface MomentTexts {
  /** It would be revealed at once. */
  isPast: string
  toStaySealed: string
  opens: string
  /** What is so until then. */
  untilThen?: string
}

interface MomentFieldsProps<Draft extends Moment> {
  form: UseFormReturn<Draft>
  timeZone: string
  /** The first day that may be chosen. */
  firstDay: string
  texts: MomentTexts
  /** What is stored of the words between two visits of this field. */
  phrase?: PhraseDetails | undefined
}

/** The moment in words or picked: the day, an optional hour; then the instant that they are, in words. */
export function MomentFields<Draft extends Moment>({
  timeZone,
  firstDay,
  texts,
  phrase,
  ...props
}: MomentFieldsProps<Draft>) {
  // The form may have other fields; these two are there.
  const form = props.form as unknown as UseFormReturn<Moment>
  return (
    <>
      <MomentPhrase form={form} timeZone={timeZone} {...phrase} />
      <div role="status" className="min-h-12 sm:min-h-6">
        <MomentInWords form={form} timeZone={timeZone} texts={texts} />
      </div>
      {/* Side by side where the letters leave room: breakpoints know nothing of their size. */}
      <div className="@container">
        <div className="grid gap-5 @sm:grid-cols-[1fr_9rem]">
          <FormDatePicker
            form={form}
            name="day"
            label="Date de révélation"
            today={dayFromNow(0, timeZone)}
            min={firstDay}
            max={furthestDay(timeZone)}
          />
          <TextField
            label="Heure"
            optional
            type="time"
            className="tabular-digits"
            {...fieldProps(form, 'time')}
          />
        </div>
      </div>
    </>
  )
}

type MomentInWordsProps = Pick<MomentFieldsProps<Moment>, 'form' | 'timeZone' | 'texts'>

function MomentInWords({ form, timeZone, texts }: MomentInWordsProps) {
  const [day, time] = useWatch({ control: form.control, name: ['day', 'time'] })
  if (!day || form.formState.errors.day) return null
  const instant = instantOfMoment({ day, time }, timeZone)
  if (isPastMoment({ day, time }, timeZone)) {
    return (
      <Notice tone="warning" title={texts.isPast}>
        Cet instant est déjà passé ({zoneInWords(instant, timeZone)}). Choisissez une heure à venir{' '}
        {texts.toStaySealed}.
      </Notice>
    )
  }
  return (
    <p className="text-ink-soft">
      {texts.opens} <strong className="text-ink">{instantInWords(instant, timeZone)}</strong>.
      {texts.untilThen && ` ${texts.untilThen}`}
    </p>
  )
}
