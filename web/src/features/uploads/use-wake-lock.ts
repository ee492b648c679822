import { useEffect, useState } from 'react'

const CHECK_MS = 1000

/**
 * Requests a screen that stays on: a sleeping phone interrupts its transfers. Returns whether it does. The browser releases the
 * lock whenever the page is hidden, hence the check every second.
 */
export function useWakeLock(isWanted: boolean): boolean {
  const [isActive, setActive] = useState(false)
  useEffect(() => {
    if (!isWanted || !('wakeLock' in navigator)) return
    let lock: WakeLockSentinel | undefined
    let isRequesting = false
    let isOver = false
    const check = async () => {
      if (isRequesting || (lock && !lock.released) || document.visibilityState !== 'visible') return
      isRequesting = true
      try {
        lock = await navigator.wakeLock.request('screen')
        if (isOver) void lock.release()
      } catch {
        lock = undefined
      }
      isRequesting = false
      if (!isOver) setActive(lock !== undefined && !lock.released)
    }
    void check()
    const timer = setInterval(check, CHECK_MS)
    return () => {
      isOver = true
      clearInterval(timer)
      void lock?.release()
      setActive(false)
    }
  }, [isWanted])
  return isActive
}
