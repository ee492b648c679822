import { useCallback, useEffect, useRef } from 'react'

/** Where the focus goes when a window closes: to the day it was about, once a day has claimed it. */
export function useFocusOfDay(day: string | undefined) {
  const holder = useRef<HTMLDivElement>(null)
  const isClaimed = useRef(false)
  const shown = useRef(day)
  useEffect(() => {
    shown.current = day
  }, [day])
  const claim = useCallback(() => {
    isClaimed.current = true
  }, [])
  const release = useCallback(() => {
    isClaimed.current = false
  }, [])
  const find = useCallback(() => {
    if (!isClaimed.current) return undefined
    return holder.current?.querySelector<HTMLElement>(`[data-day="${shown.current}"] button`)
  }, [])
  return { holder, claim, release, find }
}
