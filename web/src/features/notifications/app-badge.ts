import { useEffect } from 'react'
import { useUnread } from './notifications.queries.ts'

/** Writes on the icon of the installed site how many are unread, and wipes it at sign-out. */
export function useAppBadge(): void {
  const unread = useUnread()
  useEffect(() => {
    if (unread !== undefined) showBadge(unread)
  }, [unread])
  useEffect(() => () => showBadge(0), [])
}

function showBadge(count: number): void {
  // Absent from many browsers.
  const badge: Partial<Pick<Navigator, 'setAppBadge' | 'clearAppBadge'>> = navigator
  const shown = count > 0 ? badge.setAppBadge?.(count) : badge.clearAppBadge?.()
  shown?.catch(() => undefined)
}
