import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { storedWish } from '#web/features/revelations/stored-wish.ts'
import { useOnline } from '#web/lib/use-online.ts'

interface WaitingSealOptions {
  userId: string
  notifiesNow: boolean
  /** Nothing but the network is missing. */
  isReady: boolean
  /** Whether it would open at once. */
  isPast: () => boolean
  /** `hasPassed`: it would open at once now, and would not have when it was asked for. */
  onNetworkBack: (hasPassed: boolean) => void
}

export interface WaitingSeal {
  isOnline: boolean
  isWaiting: boolean
  wait: () => void
  stop: () => void
}

/**
 * Waits for the network on the wish of the author, then goes on once. A page that is closed meanwhile remembers the wish, and
 * acts on it only when it is told again: what was right at that hour may not be days later.
 */
export function useWaitingSeal(options: WaitingSealOptions): WaitingSeal {
  const { userId, notifiesNow, isReady } = options
  const isOnline = useOnline()
  const [isWaiting, setWaiting] = useState(false)
  const wasPast = useRef(false)
  const goOn = useEffectEvent(() => options.onNetworkBack(!wasPast.current && options.isPast()))
  useEffect(() => {
    if (!isWaiting || !isOnline || !isReady) return
    setWaiting(false)
    goOn()
  }, [isWaiting, isOnline, isReady])
  return {
    isOnline,
    isWaiting,
    wait: () => {
      storedWish.keep(userId, { notifiesNow })
      wasPast.current = options.isPast()
      setWaiting(true)
    },
    stop: () => {
      storedWish.erase(userId)
      setWaiting(false)
    },
  }
}

/** What was asked for before the page was closed. */
export function useFormerWish(userId: string) {
  const [wish] = useState(() => storedWish.read(userId))
  return wish
}
