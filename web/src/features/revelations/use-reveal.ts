import { useEffect, useEffectEvent, useState } from 'react'
import type { Revelation } from '#contract/revelations.ts'
import { useIsPast } from '#web/lib/countdown.ts'
import { useRefreshRevelation } from './revelations.queries.ts'

// All the open pages reach zero together; a little chance keeps them from asking together.
const SPREAD_MS = 500
const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 30_000

/** `due`: the instant has passed here, and the server is being asked for the letter. */
type Phase = 'sealed' | 'due' | 'open'

interface Reveal {
  phase: Phase
  /** It opened before the reader's eyes, and not before the page was shown. */
  isTurning: boolean
}

/** Turns a revelation on the open page at its instant. The server decides; this only knows when to ask. */
export function useReveal(revelation: Revelation): Reveal {
  const { id, is_revealed, reveal_date } = revelation
  const isPast = useIsPast(reveal_date)
  const isDue = isPast && !is_revealed
  useAskUntilOpen(id, isDue)
  const [wasSealed] = useState(!is_revealed)
  if (isDue) return { phase: 'due', isTurning: false }
  return { phase: is_revealed ? 'open' : 'sealed', isTurning: wasSealed && is_revealed }
}

function useAskUntilOpen(id: string, isDue: boolean): void {
  const refresh = useRefreshRevelation()
  const ask = useEffectEvent(() => refresh(id))
  useEffect(() => {
    if (!isDue) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let wait = FIRST_WAIT_MS
    let isOver = false
    const attempt = async () => {
      // A failure is one more reason to ask again: until then the seal stays whole.
      await ask().catch(() => undefined)
      if (isOver) return
      timer = setTimeout(attempt, wait)
      wait = Math.min(wait * 2, LONGEST_WAIT_MS)
    }
    timer = setTimeout(attempt, Math.random() * SPREAD_MS)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [isDue])
}
