import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import { type PhraseReading, phraseOfMoment, readDatePhrase } from '#contract/date-phrases.ts'
import { serverNow } from '#web/lib/clock.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import type { Moment } from './reveal-moment.ts'

const SUGGESTIONS = [
  'Demain',
  'Dans un mois',
  'Dans un an',
  'Dans dix ans',
  'À Noël',
  'Le 1ᵉʳ janvier à minuit',
  'Pour ses 18 ans',
]

/** What words name of a moment besides the moment itself. */
export interface PhraseDetails {
  /** Of the person whose age is named, where it is known: « 2008-02-29 ». */
  birthDay: string
  onBirthDay: (birthDay: string) => void
  /** The hour of the form, where words named it and nobody picked it. */
  namedTime: string
  onNamedTime: (time: string) => void
}

interface MomentPhraseProps extends Partial<PhraseDetails> {
  form: UseFormReturn<Moment>
  timeZone: string
}

/** The moment as one says it: « dans un an », « à Noël ». What is typed and what is picked beside are one value. */
export function MomentPhrase(props: MomentPhraseProps) {
  const { onBirthDay } = props
  const [birthDay, setBirthDay] = useState(props.birthDay ?? '')
  const phrase = usePhrase(props, birthDay)
  const { reading } = phrase
  return (
    <div data-part="moment" className="flex flex-col gap-3">
      <TextField
        label="Quand&#8239;?"
        hideLabel
        hint="Comme vous le diriez&#8239;: «&#8239;dans un an&#8239;», «&#8239;samedi à 18&nbsp;h&#8239;», «&#8239;à Noël&#8239;»."
        autoComplete="off"
        enterKeyHint="done"
        value={phrase.text}
        error={phrase.error}
        onChange={({ target }) => phrase.write(target.value)}
        onBlur={phrase.leave}
        onKeyDown={phrase.onKeyDown}
      />
      <ul aria-label="Dates proposées" className="flex flex-wrap gap-2">
        {SUGGESTIONS.map((label) => (
          <li key={label}>
            <button
              type="button"
              aria-current={phrase.text === label ? 'true' : undefined}
              onClick={() => phrase.write(label)}
              className="min-h-11 rounded-full border border-line-strong px-3.5 text-ink-soft text-sm hover:bg-sunken hover:text-ink aria-[current=true]:border-ink aria-[current=true]:bg-sunken aria-[current=true]:text-ink aria-[current=true]:ring-1 aria-[current=true]:ring-ink aria-[current=true]:ring-inset"
            >
              {label}
            </button>
          </li>
        ))}
      </ul>
      {((reading && 'needs' in reading) || (birthDay !== '' && AGE.test(phrase.text))) && (
        <TextField
          type="date"
          label={`Quelle est ${OWN.test(phrase.text) ? 'votre' : 'sa'} date de naissance\u202F?`}
          hint="Elle reste sur cet appareil."
          value={birthDay}
          onChange={({ target }) => {
            setBirthDay(target.value)
            onBirthDay?.(target.value)
            phrase.countFrom(target.value)
          }}
        />
      )}
      {reading && 'day' in reading && (reading.note || reading.other) && (
        <p className="flex flex-wrap items-center gap-x-3 gap-y-2 text-ink-soft">
          {reading.note}
          {reading.other && (
            <Button variant="secondary" onClick={phrase.applyOther}>
              {reading.other.label}
            </Button>
          )}
        </p>
      )}
    </div>
  )
}

/** Words that count from a birthday, which may be set right. */
const AGE = /\bans\b|majorit|anniversaire/i
/** « pour mes 40 ans » */
const OWN = /(?<!\p{L})m(?:es|on|a)(?!\p{L})/iu

const NOT_UNDERSTOOD =
  'Je n’ai pas compris cette date. Essayez «\u202Fdans un an\u202F» ou «\u202Fà Noël\u202F», ou choisissez-la.'

/** The words in the field, and what they are to the form. */
function usePhrase(props: MomentPhraseProps, birthDay: string) {
  const { form, timeZone, namedTime, onNamedTime } = props
  const [text, setText] = useState('')
  const [reading, setReading] = useState<PhraseReading>()
  const [isLeft, setLeft] = useState(false)
  const [day, time] = useWatch({ control: form.control, name: ['day', 'time'] })
  /** What the words set in the form last; whatever else it has was picked. */
  const applied = useRef({ day, time })
  const named = useRef(time === namedTime ? time : '')
  /** What was picked last, or there from the start. */
  const before = useRef({ day, time, named: named.current })
  const apply = (moment: Moment, namedNow: string) => {
    applied.current = moment
    named.current = namedNow
    onNamedTime?.(namedNow)
    const options = { shouldDirty: true, shouldTouch: true }
    form.setValue('time', moment.time, options)
    form.setValue('day', moment.day, { ...options, shouldValidate: moment.day !== '' })
  }
  const read = (words: string, from: string) => {
    const next = readDatePhrase(words, { now: new Date(serverNow()), timeZone, birthDay: from })
    setReading(next)
    // An hour that was picked stays, where the words name none; one that former words named goes with them.
    const { time: timeNow } = applied.current
    const picked = timeNow === named.current ? '' : timeNow
    if (words.trim() === '') {
      const { named: namedBefore, ...moment } = before.current
      apply(moment, namedBefore)
    } else if (next && 'day' in next) {
      apply({ day: next.day, time: next.time ?? picked }, next.time ?? '')
    } else apply({ day: '', time: picked }, '')
  }
  const pick = useEffectEvent(() => {
    if (day === applied.current.day && time === applied.current.time) return
    if (time !== applied.current.time) {
      named.current = ''
      onNamedTime?.('')
    }
    applied.current = { day, time }
    before.current = { day, time, named: named.current }
    setReading(undefined)
    setLeft(false)
    setText(day ? phraseOfMoment(day, time) : '')
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is picked beside the field
  useEffect(() => pick(), [day, time])
  const isMisunderstood = text.trim() !== '' && reading === undefined && day === ''
  return {
    text,
    reading,
    // Not while one is still typing: « dans » is no mistake.
    error: isLeft ? errorOf(reading, isMisunderstood) : undefined,
    write: (words: string) => {
      setText(words)
      setLeft(false)
      read(words, birthDay)
    },
    leave: () => setLeft(true),
    countFrom: (from: string) => read(text, from),
    applyOther: () => {
      if (!(reading && 'day' in reading && reading.other)) return
      const { day: otherDay, time: otherTime = '' } = reading.other
      apply({ day: otherDay, time: otherTime }, otherTime)
      setReading(undefined)
      setText(phraseOfMoment(otherDay, otherTime))
    },
    /** Enter says that the words are whole; it sends no form. */
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
      event.preventDefault()
      setLeft(true)
    },
  }
}

function errorOf(reading: PhraseReading | undefined, isMisunderstood: boolean): string | undefined {
  if (reading && 'passed' in reading) return `C’est passé\u202F: ${reading.passed}.`
  return isMisunderstood ? NOT_UNDERSTOOD : undefined
}
