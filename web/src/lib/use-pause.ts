import { useEffect, useState } from 'react'

/** The whole seconds left before something may be asked again; 0 when it may. */
export function usePause(durationMs: number): { secondsLeft: number; begin: () => void } {
  const [endsAt, setEndsAt] = useState(0)
  const [now, setNow] = useState(0)
  const secondsLeft = Math.max(0, Math.ceil((endsAt - now) / 1000))
  const isPausing = secondsLeft > 0
  useEffect(() => {
    if (!isPausing) return
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [isPausing])
  const begin = () => {
    setNow(Date.now())
    setEndsAt(Date.now() + durationMs)
  }
  return { secondsLeft, begin }
}
