import { useEffect, useEffectEvent } from 'react'

// All the open pages reach zero together; a little chance keeps them from asking together.
const SPREAD_MS = 500
const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 30_000

/** Asks the server for what is due, again and again and ever more seldom, until it is due no longer. */
export function useAskUntil(isDue: boolean, ask: () => Promise<unknown>): void {
  const askNow = useEffectEvent(ask)
  useEffect(() => {
    if (!isDue) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let wait = FIRST_WAIT_MS
    let isOver = false
    const attempt = async () => {
      // A failure is one more reason to ask again: until then the seal stays whole.
      await askNow().catch(() => undefined)
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
