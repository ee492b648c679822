import { useState } from 'react'
import type { Revelation } from '#contract/revelations.ts'
import { useIsPast } from '#web/lib/countdown.ts'
import { useAskUntil } from '#web/lib/use-ask-until.ts'
import { useRefreshRevelation } from './revelations.queries.ts'

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
  const refresh = useRefreshRevelation()
  useAskUntil(isDue, () => refresh(id))
  const [wasSealed] = useState(!is_revealed)
  if (isDue) return { phase: 'due', isTurning: false }
  return { phase: is_revealed ? 'open' : 'sealed', isTurning: wasSealed && is_revealed }
}
