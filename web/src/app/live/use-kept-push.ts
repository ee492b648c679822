import { useEffect } from 'react'
import { useSession } from '#web/features/auth/session.tsx'
import { readToldBrowser } from '#web/features/push/told-browser.ts'

/** Costs nobody anything who did not ask to be told on this device. */
export function useKeptPush(): void {
  const userId = useSession().user?.id
  useEffect(() => {
    if (userId === undefined || readToldBrowser()?.userId !== userId) return
    let stop: (() => void) | undefined
    let isOver = false
    import('#web/features/push/kept-push.ts').then(
      ({ keepPush }) => {
        if (!isOver) stop = keepPush(userId)
      },
      () => undefined,
    )
    return () => {
      isOver = true
      stop?.()
    }
  }, [userId])
}
