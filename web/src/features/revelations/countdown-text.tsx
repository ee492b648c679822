import { instantInWords } from '#contract/date-in-words.ts'
import { useBrowserTimeZone } from '#web/lib/browser-time-zone.ts'
import { useCountdown } from '#web/lib/countdown.ts'
import { formatShortInstant } from '#web/lib/french-dates.ts'
import { classNames } from '#web/ui/class-names.ts'

interface CountdownTextProps {
  instant: string
  timeZone: string
  className?: string
}

/** The digits that tick, for the eyes; the date in words, for screen readers. */
export function CountdownText({ instant, timeZone, className }: CountdownTextProps) {
  const text = useCountdown(instant)
  const ownZone = useBrowserTimeZone()
  return (
    <p className={classNames('leading-tight', className)}>
      <span className="sr-only">S’ouvre le {instantInWords(new Date(instant), timeZone)}</span>
      <span aria-hidden="true" aria-live="off" className="digits block font-bold text-[1.65rem]">
        {text}
      </span>
      <time dateTime={instant} aria-hidden="true" className="block text-ink-soft text-sm">
        {formatShortInstant(instant, timeZone, ownZone ?? timeZone)}
      </time>
    </p>
  )
}
