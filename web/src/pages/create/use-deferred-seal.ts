import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { storedDeferredSeal } from '#web/features/revelations/draft-storage.ts'
import { useOnline } from '#web/lib/online.ts'

interface DeferredSealOptions {
  userId: string
  notifiesNow: boolean
  /** Only the network is missing. */
  isReady: boolean
  /** Whether the letter would open at once. */
  isPast: () => boolean
  /** `hasPassed`: the instant passed while the network was waited for. */
  onNetworkBack: (hasPassed: boolean) => void
}

export interface DeferredSeal {
  isOnline: boolean
  isWaiting: boolean
  wait: () => void
  stop: () => void
}

/**
 * Waits for the network and seals once when it is back. A page that was closed meanwhile offers to seal and does not do it by
 * itself: the author may decide otherwise days later.
 */
export function useDeferredSeal(options: DeferredSealOptions): DeferredSeal {
  const { userId, notifiesNow, isReady } = options
  const isOnline = useOnline()
  const [isWaiting, setWaiting] = useState(false)
  const wasPast = useRef(false)
  const resume = useEffectEvent(() => options.onNetworkBack(!wasPast.current && options.isPast()))
  useEffect(() => {
    if (!isWaiting || !isOnline || !isReady) return
    setWaiting(false)
    resume()
  }, [isWaiting, isOnline, isReady])
  return {
    isOnline,
    isWaiting,
    wait: () => {
      storedDeferredSeal.write(userId, { notifiesNow })
      wasPast.current = options.isPast()
      setWaiting(true)
    },
    stop: () => {
      storedDeferredSeal.erase(userId)
      setWaiting(false)
    },
  }
}

/** The deferred seal of before the page was closed. */
export function useStoredDeferredSeal(userId: string) {
  const [deferred] = useState(() => storedDeferredSeal.read(userId))
  return deferred
}
