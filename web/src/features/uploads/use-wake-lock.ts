import { useEffect, useState } from 'react'

const CHECK_MS = 1000

/**
 * Keeps the screen on while a file is on its way: a phone that sleeps cuts its transfers. The browser lets go of
 * the lock whenever the page is hidden, hence the check every second. Tells whether the screen is kept on.
 */
export function useWakeLock(isWanted: boolean): boolean {
  const [isKept, setKept] = useState(false)
  useEffect(() => {
    if (!isWanted || !('wakeLock' in navigator)) return
    let lock: WakeLockSentinel | undefined
    let isAsking = false
    let isOver = false
    const check = async () => {
      if (isAsking || (lock && !lock.released) || document.visibilityState !== 'visible') return
      isAsking = true
      try {
        lock = await navigator.wakeLock.request('screen')
        if (isOver) void lock.release()
      } catch {
        lock = undefined
      }
      isAsking = false
      if (!isOver) setKept(lock !== undefined && !lock.released)
    }
    void check()
    const timer = setInterval(check, CHECK_MS)
    return () => {
      isOver = true
      clearInterval(timer)
      void lock?.release()
      setKept(false)
    }
  }, [isWanted])
  return isKept
}
