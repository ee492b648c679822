import { useState } from 'react'
import type { Revelation } from '#contract/revelations.ts'
import { serverNow, useIsPast, useShare } from '#web/lib/clock.ts'
import { usePollUntil } from '#web/lib/hooks.ts'
import { useRefreshRevelation } from './revelations.queries.ts'

/** `due`: the instant has passed here, and the letter is being fetched. */
type Phase = 'sealed' | 'due' | 'open'

interface Reveal {
  phase: Phase
  /** It opened while the page was shown. */
  isTurning: boolean
}

/**
 * Later, nobody was there: a device woke up, or a page was shown again that was left before the instant. Its reader then meets
 * the letter as whoever comes late.
 */
const TURNS_WITHIN_MS = 60_000

/** Opens a revelation on the page at its instant: from then on the server is polled, and decides. */
export function useReveal(revelation: Revelation): Reveal {
  const { id, is_revealed, reveal_date } = revelation
  const isPast = useIsPast(reveal_date)
  const isDue = isPast && !is_revealed
  const refresh = useRefreshRevelation()
  usePollUntil(isDue, () => refresh(id))
  /** Undefined while the instant is awaited here. */
  const [isTurning, setTurning] = useState(is_revealed || isPast ? false : undefined)
  if (isDue) return { phase: 'due', isTurning: false }
  if (is_revealed && isTurning === undefined) {
    setTurning(serverNow() - Date.parse(reveal_date) < TURNS_WITHIN_MS)
  }
  return { phase: is_revealed ? 'open' : 'sealed', isTurning: isTurning ?? false }
}

const DAY_MS = 86_400_000

/** The light on the horizon: 0 until the last day, then growing to 1 at the instant. */
export function useDawn(instant: string): number {
  const target = Date.parse(instant)
  return useShare(target - DAY_MS, target, 50)
}
