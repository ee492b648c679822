import { useEffect, useState } from 'react'
import { formatDuration } from '#web/lib/durations.ts'
import type { RecordingClock } from './recording-clock.ts'

const REFRESH_MS = 200

/** The seconds that were recorded. They tick for the eye only. */
export function RecorderTimer({ clock }: { clock: RecordingClock | undefined }) {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const read = () => setSeconds(Math.floor((clock?.elapsedMs() ?? 0) / 1000))
    read()
    if (!clock) return
    const timer = setInterval(read, REFRESH_MS)
    return () => clearInterval(timer)
  }, [clock])
  return (
    <p role="timer" aria-live="off" className="digits text-center font-semibold text-6xl">
      {formatDuration(seconds)}
    </p>
  )
}
