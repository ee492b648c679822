import { useEffect, useState } from 'react'
import { formatDuration } from '#web/lib/format.ts'
import { classNames } from '#web/ui/class-names.ts'
import type { RecordingClock } from './voice-recorder.ts'

const REFRESH_MS = 200

interface RecorderTimerProps {
  /** Absent before the recording begins. */
  clock: RecordingClock | undefined
  className: string
}

/** The length of a recording while it grows. Silent for screen readers. */
export function RecorderTimer({ clock, className }: RecorderTimerProps) {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const read = () => setSeconds(Math.floor((clock?.elapsedMs() ?? 0) / 1000))
    read()
    if (!clock) return
    const timer = setInterval(read, REFRESH_MS)
    return () => clearInterval(timer)
  }, [clock])
  return (
    <p role="timer" aria-live="off" className={classNames('tabular-digits', className)}>
      {formatDuration(seconds)}
    </p>
  )
}
