import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useOnline } from '#web/lib/online.ts'

interface DeferredSealOptions {
  /** Only the network is missing. */
  isReady: boolean
  /** Whether the letter would open at once. */
  isPast: () => boolean
  /** Its author wants it sealed, or no longer: it outlives the page. */
  onWanted: (isWanted: boolean) => void
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
  const { isReady, onWanted } = options
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
      onWanted(true)
      wasPast.current = options.isPast()
      setWaiting(true)
    },
    stop: () => {
      onWanted(false)
      setWaiting(false)
    },
  }
}
