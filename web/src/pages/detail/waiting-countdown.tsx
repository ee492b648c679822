import { useCallback } from 'react'
import { serverNow, useShare, useTicking } from '#web/lib/clock.ts'
import { formatCountdown, formatDaysUntil, isFarAway } from '#web/lib/dates.ts'
import { classNames } from '#web/ui/class-names.ts'

/** How close the instant is: each stage of the wait has its own look (`waiting.css`). */
export type WaitingStage = 'days' | 'hours' | 'minutes' | 'seconds' | 'breaths' | 'over'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** From the last one on; each ends where the next begins. */
const STAGES: [WaitingStage, number][] = [
  ['over', 0],
  ['breaths', 10 * SECOND_MS],
  ['seconds', MINUTE_MS],
  ['minutes', HOUR_MS],
  ['hours', 24 * HOUR_MS],
]

export function useWaitingStage(instant: string): WaitingStage {
  const target = Date.parse(instant)
  return useTicking(useCallback(() => stageOf(target - serverNow()), [target]))
}

function stageOf(remainingMs: number): WaitingStage {
  return STAGES.find(([, until]) => remainingMs <= until)?.[0] ?? 'days'
}

/** The part of the last hour that is over, in steps of one second: the light around the seal tightens by it. */
export function useNearness(instant: string): number {
  const target = Date.parse(instant)
  return useShare(target - HOUR_MS, target, 3600)
}

interface WaitingCountdownProps {
  instant: string
  timeZone: string
  stage: WaitingStage
}

/** The time that is left: in words a person says, then in digits that grow. Its place never changes. */
export function WaitingCountdown({ instant, timeZone, stage }: WaitingCountdownProps) {
  const target = Date.parse(instant)
  const digits = useTicking(
    useCallback(() => {
      const remaining = target - serverNow()
      return stageOf(remaining) === 'breaths'
        ? String(Math.ceil(remaining / SECOND_MS))
        : formatCountdown(target, serverNow())
    }, [target]),
  )
  const days = useTicking(
    useCallback(() => formatDaysUntil(instant, serverNow(), timeZone), [instant, timeZone]),
  )
  const ticks = useTicking(useCallback(() => !isFarAway(target, serverNow()), [target]))
  return (
    <div aria-live="off" aria-hidden="true" className="waiting-digits print:hidden">
      {stage === 'days' && (
        <p className="text-balance font-serif text-4xl leading-tight first-letter:uppercase sm:text-5xl">
          {days}
        </p>
      )}
      {ticks && stage !== 'over' && (
        <p
          // A new element each second, so that the breath of each begins with it.
          key={stage === 'breaths' ? digits : stage}
          className={classNames(
            'tabular-digits leading-none',
            stage === 'days' ? 'mt-2 text-ink-soft text-lg' : 'font-bold text-5xl sm:text-6xl',
          )}
        >
          {digits}
        </p>
      )}
    </div>
  )
}

const STAGE_WORDS: Record<WaitingStage, string> = {
  days: '',
  hours: '',
  minutes: 'Plus qu’une heure avant l’ouverture',
  seconds: 'Plus qu’une minute avant l’ouverture',
  breaths: 'La lettre s’ouvre dans dix secondes',
  over: '',
}

/** For those who do not see the digits: each stage is said as it begins, and nothing between. */
export function StageAnnouncement({ stage }: { stage: WaitingStage }) {
  return (
    <p role="status" className="sr-only">
      {STAGE_WORDS[stage]}
    </p>
  )
}
