import { useCallback } from 'react'
import { useTicking } from '#web/lib/countdown.ts'
import { serverNow } from '#web/lib/server-clock.ts'

const DAY_MS = 86_400_000

/** How much light there already is on the horizon: 0 until the last day, then growing to 1 at the instant. */
export function useDawn(instant: string): number {
  const target = Date.parse(instant)
  return useTicking(
    useCallback(() => {
      const share = 1 - (target - serverNow()) / DAY_MS
      return Math.round(Math.min(1, Math.max(0, share)) * 50) / 50
    }, [target]),
  )
}
